import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

type Init = NonNullable<Parameters<typeof fetch>[1]>

/**
 * The part of `fetch` that the client of the API uses, on Node's own HTTP. The global `fetch` is loaded when it is first
 * called, which costs more of the time of a short command than everything else together (bench/cli.ts).
 */
export const httpFetch = (async (input: string | URL, init: Init = {}) => {
  const url = new URL(input)
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const body = typeof init.body === 'string' ? init.body : undefined
  const headers = {
    ...(init.headers as Record<string, string>),
    'accept-encoding': 'gzip',
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const { signal } = init
  return new Promise<Response>((resolve, reject) => {
    const options = { method: init.method ?? 'GET', headers, ...(signal && { signal }) }
    const sent = request(url, options, (message) => {
      // It has what the client reads of a response, and none of the rest.
      responseOf(message).then((response) => resolve(response as Response), reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}) as typeof fetch

async function responseOf(message: IncomingMessage) {
  const status = message.statusCode ?? 0
  const stream = await decoded(message)
  const text = async () => {
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part as Buffer)
    return Buffer.concat(parts).toString('utf8')
  }
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: message.statusMessage ?? '',
    headers: {
      get: (name: string) => {
        const value = message.headers[name.toLowerCase()]
        return value === undefined ? null : String(value)
      },
    },
    text,
    json: async (): Promise<unknown> => JSON.parse(await text()),
    get body() {
      return Readable.toWeb(stream)
    },
  }
}

async function decoded(message: IncomingMessage): Promise<Readable> {
  if (message.headers['content-encoding'] !== 'gzip') return message
  const { createGunzip } = await import('node:zlib')
  const { pipeline } = await import('node:stream')
  // What breaks off ends both; the reader of the second gets the error.
  return pipeline(message, createGunzip(), () => undefined)
}
