import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'

import { type Outbound, OutboundRefused } from './outbound.ts'
import { trustOptions } from './tls-options.ts'

export type PostReply = {
  status: number
  /** At most the first 2,000 bytes. */
  bodyHead: string
}

const maxBytes = 2_000

/**
 * Posts JSON to an address that a user named, which is checked at the moment of connecting. Follows no redirect and reads
 * no more than the head of the answer. Throws OutboundRefused, or the error of the connection.
 */
export function postOutbound(
  outbound: Outbound,
  address: string,
  body: unknown,
  { timeoutMs, headers = {} }: { timeoutMs: number; headers?: Record<string, string> },
): Promise<PostReply> {
  const url = new URL(address)
  const refusal = outbound.refusalOfHost(url.hostname)
  if (refusal) return Promise.reject(refusal)
  const text = JSON.stringify(body)
  const isTls = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const sent = (isTls ? httpsRequest : httpRequest)(
      url,
      {
        method: 'POST',
        agent: false,
        lookup: outbound.lookup,
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
          'user-agent': 'Bey',
          ...headers,
        },
        ...(isTls && trustOptions('')),
      },
      (reply) => void readHead(reply).then(resolve, reject).finally(done),
    )
    const timer = setTimeout(() => {
      sent.destroy(Object.assign(new Error('There was no answer in time'), { code: 'ETIMEDOUT' }))
    }, timeoutMs)
    function done() {
      clearTimeout(timer)
      sent.destroy()
    }
    sent.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    sent.end(text)
  })
}

async function readHead(reply: IncomingMessage): Promise<PostReply> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  const bodyHead = Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
  return { status: reply.statusCode ?? 0, bodyHead }
}

/** Why an address could not be reached, as a sentence without the address, which may be a secret. */
export function postFailure(error: unknown): string {
  if (error instanceof OutboundRefused) return 'This server does not connect to that address (BEY_OUTBOUND).'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The name of the host was not found.'
  if (code === 'ECONNREFUSED') return 'The host refused the connection.'
  if (code === 'ETIMEDOUT') return 'There was no answer within 15 seconds.'
  if (/CERT|SELF_SIGNED|TLS/.test(code)) return 'The certificate of the host is not trusted.'
  return 'The connection broke off.'
}
