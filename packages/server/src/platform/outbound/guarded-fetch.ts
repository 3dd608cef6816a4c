import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Outbound } from './outbound.ts'
import { trustOptions } from './tls-options.ts'

export type GuardedRequest = {
  method?: string | undefined
  headers?: Record<string, string> | undefined
  body?: string | Uint8Array | undefined
  timeoutMs: number
  /** A longer reply fails with ReplyTooLong. */
  maxBytes: number
  /** Authorities to trust, as PEM; empty: what this machine trusts. Undefined: what Node trusts. */
  caPem?: string | undefined
}

export class ReplyTooLong extends Error {
  override readonly name = 'ReplyTooLong'
}

/**
 * One request to an address that somebody set: the resolved address is checked as it connects, redirects are answered
 * and not followed. Throws OutboundRefused, or what the connection failed with.
 */
export function guardedFetch(outbound: Outbound, url: URL, options: GuardedRequest): Promise<Response> {
  const refused = outbound.refusalOfHost(url.hostname)
  if (refused) return Promise.reject(refused)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(options.timeoutMs)
    const sent = request(
      url,
      {
        method: options.method ?? 'GET',
        headers: options.headers ?? {},
        lookup: outbound.lookup,
        signal,
        ...(options.caPem !== undefined && url.protocol === 'https:' && trustOptions(options.caPem)),
      },
      (reply) => void read(reply, options.maxBytes).then(resolve, reject),
    )
    sent.on('error', reject)
    sent.end(options.body)
  })
}

async function read(reply: IncomingMessage, maxBytes: number): Promise<Response> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      reply.destroy()
      throw new ReplyTooLong(`The reply is longer than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const status = reply.statusCode ?? 502
  const hasNoBody = status === 204 || status === 304 || status < 200
  return new Response(hasNoBody ? null : Buffer.concat(chunks), {
    status: status < 200 ? 502 : status,
    headers,
  })
}
