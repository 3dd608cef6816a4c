import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { AppError } from '../../platform/errors.ts'
import { type Answer, answer } from '../../platform/http/answer.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { isOwnOrigin, type OwnOrigins } from '../../platform/live/origin.ts'
import type { McpSessions } from './sessions.ts'

const sessionHeader = 'mcp-session-id'

export function mcpRoutes(sessions: McpSessions, origins: OwnOrigins): Handlers<'mcp.send' | 'mcp.end'> {
  return {
    'mcp.send': async ({ caller, headers, bytes }) => {
      refuseForeignPage(headers, origins)
      const message = messageIn(bytes)
      const id = textOf(headers[sessionHeader])
      // Any other message without a session is refused by the transport of a session that is not kept.
      const session =
        id === undefined && (await isInitialize(message))
          ? await sessions.open(caller)
          : sessions.find(requireSession(id), caller)
      return answerOf(await session.handle(requestOf(headers, bytes), message, caller))
    },
    'mcp.end': async ({ caller, headers }) => {
      refuseForeignPage(headers, origins)
      const id = textOf(headers[sessionHeader])
      if (id !== undefined) await sessions.end(id, caller)
      return null
    },
  }
}

async function isInitialize(message: unknown): Promise<boolean> {
  const { isInitializeRequest } = await import('@modelcontextprotocol/sdk/types.js')
  return isInitializeRequest(message)
}

/** A page of another site has no token of ours, but may have been given one: what browsers send must come from the console. */
function refuseForeignPage({ origin, host }: IncomingHttpHeaders, origins: OwnOrigins): void {
  if (!isOwnOrigin({ headers: { origin, host } }, origins))
    throw new AppError(
      'forbidden',
      'This page does not belong to Bey, so it cannot speak to assistants here.',
    )
}

function messageIn(bytes: Buffer): unknown {
  let message: unknown
  try {
    message = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new AppError('malformed_json', 'The message is not JSON.', { cause })
  }
  if (Array.isArray(message))
    throw new AppError(
      'invalid_request',
      'Send one message at a time: this protocol has no batches since 2025-06-18.',
    )
  return message
}

function requireSession(id: string | undefined): string {
  if (id !== undefined) return id
  throw new AppError(
    'invalid_request',
    `Begin with initialize, then send ${sessionHeader} as it was answered.`,
  )
}

function requestOf(headers: IncomingHttpHeaders, bytes: Buffer): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    forwarded.has(name) && typeof value === 'string' ? [[name, value]] : [],
  )
  // The address is never looked at: who calls and where is known already.
  return new Request('http://bey.invalid/mcp', {
    method: 'POST',
    headers: given,
    body: new Uint8Array(bytes),
  })
}

const forwarded = new Set(['accept', 'content-type', sessionHeader, 'mcp-protocol-version', 'last-event-id'])

function answerOf({ status, headers, body }: Response): Answer<string> | Answer<Readable> {
  const known = {
    ...Object.fromEntries(headers),
    // A compressed stream would keep events back until a block is full.
    'content-encoding': 'identity',
  }
  return body === null
    ? answer('', { status, headers: known })
    : answer(Readable.fromWeb(body), { status, headers: known })
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
