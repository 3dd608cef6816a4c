import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'

export type Received = { headers: IncomingHttpHeaders; body: string; at: number }

/** A receiver on a port of its own. `answer` gives the status of each message. */
export async function receiver(
  answer: (received: Received, index: number) => number | Promise<number> = () => 204,
) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const each = { headers: request.headers, body, at: performance.now() }
      received.push(each)
      void Promise.resolve(answer(each, received.length - 1)).then((status) =>
        response.writeHead(status, { 'x-receiver': 'yes' }).end(`answer ${status}`),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const until = (count: number) =>
    vi.waitUntil(() => received.length >= count, { timeout: 60_000, interval: 10 }).then(() => received)
  return { url, received, until }
}
