import { failureOf } from '../failure.ts'
import { ApiError } from '@bey/client'
import { version, type Session } from '../session.ts'

type Message = { id?: string | number; method?: string; params?: unknown; result?: unknown }

export type Bridge = {
  /** Sends one message to the server and passes its answers on. Never rejects: a failure is an answer, or a note. */
  send(line: string): Promise<void>
  /** Whether the server has opened a session. */
  isOpen(): boolean
  close(): Promise<void>
}

/** Errors of JSON-RPC: https://www.jsonrpc.org/specification#error_object */
const parseError = -32_700
const serverError = -32_000

/** Carries messages between a client and `/mcp`. A session that ended is opened anew, with what the client began with. */
export function openBridge(
  { target, terminal, signal }: Session,
  answer: (message: unknown) => void,
): Bridge {
  const url = new URL('/mcp', target.url)
  let sessionId: string | undefined
  let protocolVersion: string | undefined
  let opening: Message | undefined
  let reopening: Promise<void> | undefined

  async function ask(method: 'POST' | 'DELETE', body?: string): Promise<Response> {
    return fetch(url, {
      method,
      headers: {
        'user-agent': `bey/${version}`,
        accept: 'application/json, text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(target.token !== undefined && { authorization: `Bearer ${target.token}` }),
        ...(target.organizationId !== undefined && { 'x-organization-id': String(target.organizationId) }),
        ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
        ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
      },
      body: body ?? null,
      signal,
    }).catch((cause: unknown) => {
      throw new ApiError({
        kind: signal.aborted ? 'aborted' : 'network',
        status: 0,
        statusText: 'Network error',
        cause,
      })
    })
  }

  async function open(message: Message): Promise<Message[]> {
    sessionId = undefined
    protocolVersion = undefined
    const response = await accepted(await ask('POST', JSON.stringify(message)))
    sessionId = response.headers.get('mcp-session-id') ?? undefined
    const answers: Message[] = []
    for await (const each of messagesOf(response)) answers.push(each)
    const result = answers.find(({ id }) => id === message.id)?.result
    // As the protocol says, the version that the server chose.
    if (typeof result === 'object' && result !== null && 'protocolVersion' in result)
      protocolVersion = String(result.protocolVersion)
    return answers
  }

  /** The same session for everything that found the old one gone. */
  function reopen(message: Message): Promise<void> {
    reopening ??= (async () => {
      await open(message)
      await ask('POST', JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
    })().finally(() => (reopening = undefined))
    return reopening
  }

  async function pass(line: string, message: Message): Promise<void> {
    if (message.method === 'initialize') {
      opening = message
      for (const each of await open(message)) answer(each)
      return
    }
    const usedId = sessionId
    let response = await ask('POST', line)
    // A new session did not ask the question of the old one, so its answer is dropped.
    if (response.status === 404 && usedId !== undefined && opening && message.method !== undefined) {
      if (sessionId === usedId) await reopen(opening)
      response = await ask('POST', line)
    }
    for await (const each of messagesOf(await accepted(response))) answer(each)
  }

  return {
    async send(line) {
      const message = parsed(line)
      if (message === undefined)
        return answer({
          jsonrpc: '2.0',
          id: null,
          error: { code: parseError, message: 'The line is not JSON.' },
        })
      try {
        await pass(line, message)
      } catch (error) {
        if (isOver(error)) return
        const text = failureOf(error, target.url).message
        if (message.id !== undefined && message.method !== undefined)
          answer({ jsonrpc: '2.0', id: message.id, error: { code: serverError, message: text } })
        else terminal.note(`${text}\n`)
      }
    },
    isOpen: () => sessionId !== undefined,
    async close() {
      if (sessionId !== undefined && !signal.aborted) await ask('DELETE').catch(() => undefined)
    },
  }
}

/** Whether an error only says that the person ended the program. */
export function isOver(error: unknown): boolean {
  return (
    (error instanceof ApiError && error.kind === 'aborted') ||
    (error instanceof Error && error.name === 'AbortError')
  )
}

function parsed(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response
  const text = await response.text()
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  throw new ApiError({
    kind: 'problem',
    status: response.status,
    statusText: response.statusText,
    problem: isJson ? (JSON.parse(text) as { detail?: string }) : undefined,
    detail: text.slice(0, 300),
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}

/** Messages of a reply: one as JSON, or those of a stream of events as they come. */
async function* messagesOf(response: Response): AsyncGenerator<Message> {
  const mediaType = response.headers.get('content-type') ?? ''
  if (response.status === 202 || response.body === null) return
  if (!mediaType.includes('text/event-stream')) {
    const text = await response.text()
    if (text !== '') yield JSON.parse(text) as Message
    return
  }
  let rest = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const events = `${rest}${chunk}`.split(/\r?\n\r?\n/)
    rest = events.pop() ?? ''
    for (const event of events) {
      const lines = event.split(/\r?\n/).filter((line) => line.startsWith('data:'))
      const data = lines.map((line) => line.slice(5).trimStart()).join('\n')
      if (data !== '') yield JSON.parse(data) as Message
    }
  }
}
