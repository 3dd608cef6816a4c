import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/**
 * An HTTP proxy that opens tunnels (CONNECT), or answers every wish for one with `refusal`. `opened` lists what was asked
 * for, with the credentials that came along.
 */
export async function connectProxy(refusal?: number) {
  const opened: { target: string; authorization: string | undefined }[] = []
  const sockets = new Set<Socket>()
  const server = createServer()
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const target = request.url ?? ''
    opened.push({ target, authorization: request.headers['proxy-authorization'] })
    client.on('error', () => client.destroy())
    if (refusal !== undefined) return void client.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`)
    const { hostname, port } = new URL(`http://${target}`)
    const upstream = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}`, opened }
}
