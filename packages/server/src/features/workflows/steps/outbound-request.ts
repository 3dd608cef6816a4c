import type { Agent } from 'undici'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { type Outbound, OutboundRefused } from '../../../platform/outbound/outbound.ts'
import { trustOptions } from '../../../platform/outbound/tls-options.ts'

type OutboundRequest = {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  timeoutMs: number
  signal: AbortSignal
}

export type OutboundReply = { status: number; headers: Record<string, string>; text: string }

export type SendRequest = (asked: OutboundRequest) => Promise<OutboundReply>

/** Of an answer; larger ones fail. */
const maxReplyBytes = 1_048_576

/** Headers that say how the connection works, which is not for a step to say. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'te',
  'expect',
])

/**
 * Sends one request to an address that a user named: checked on the resolved address when it connects, no redirect is
 * followed, at most 1 MB is read. Throws StepFailure with what kind of failure it is.
 */
export function createSendRequest(outbound: Outbound): SendRequest {
  let opened: Agent | undefined
  /** Loaded with the first request. */
  async function client() {
    const { Agent, request } = await import('undici')
    opened ??= new Agent({
      connect: { lookup: outbound.lookup, ...trustOptions('') },
      maxResponseSize: maxReplyBytes,
      keepAliveTimeout: 4_000,
    })
    return { agent: opened, request }
  }

  return async ({ method, url, headers, body, timeoutMs, signal }) => {
    const address = checkedUrl(url, outbound)
    const wrong = Object.keys(headers).find((name) => ownHeaders.has(name.toLowerCase()))
    if (wrong !== undefined) throw new StepFailure(`The header "${wrong}" cannot be set.`)
    const { agent, request } = await client()
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await request(address, {
        // The methods that the schema allows are those that the client knows.
        method: method as 'GET',
        headers: { 'user-agent': 'bey', ...headers },
        ...(body !== undefined && { body }),
        dispatcher: agent,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: AbortSignal.any([signal, timeout]),
      })
      const text = await answer.body.text()
      return { status: answer.statusCode, headers: flatHeaders(answer.headers), text }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw failureOf(error, address.host, timeout.aborted ? timeoutMs : undefined)
    }
  }
}

function checkedUrl(url: string, outbound: Outbound): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    throw new StepFailure('The address is not one that begins with http:// or https://.')
  }
  const refusal = outbound.refusalOfHost(address.hostname)
  if (refusal !== undefined) throw new StepFailure(`The request was not sent: ${refusal.message}.`)
  return address
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  )
}

function failureOf(error: unknown, host: string, timeoutMs: number | undefined): StepFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (timeoutMs !== undefined || /TIMEOUT/.test(code)) {
    const within = timeoutMs === undefined ? 'in time' : `within ${timeoutMs / 1_000} s`
    return new StepFailure(`${host} did not answer ${within}.`, { cause: error, reason: 'timeout' })
  }
  if (error instanceof OutboundRefused) {
    return new StepFailure(`The request was not sent: ${error.message}.`, { cause: error })
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return new StepFailure(`${host} answered with more than 1 MB.`, { cause: error })
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return new StepFailure('A header has a name or value that HTTP does not allow.', { cause: error })
  }
  return new StepFailure(`${host} could not be reached: ${networkReason(code)}.`, {
    cause: error,
    reason: 'network',
  })
}

function networkReason(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'the connection was refused'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its name is not known'
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'the connection was lost'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'there is no way to its network'
    default:
      return /CERT|SIGNATURE|ALTNAME|ISSUER|SSL/.test(code)
        ? 'its certificate is not trusted'
        : 'the connection failed'
  }
}
