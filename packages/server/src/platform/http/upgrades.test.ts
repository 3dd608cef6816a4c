import { get } from 'node:http'
import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const app = await testApp()
const { port, tlsPort } = app

/** What a GET that offers another protocol is answered. */
async function offer(path: string, upgrade: string): Promise<number | undefined> {
  const asked = get({ port, path, headers: { connection: 'Upgrade, HTTP2-Settings', upgrade } })
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}

function overTls(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port: tlsPort, rejectUnauthorized: false }, () => socket.write(bytes))
    let answer = ''
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

test('a request that offers a protocol which nobody speaks here is answered as it is', async () => {
  expect(await offer('/health', 'h2c')).toBe(200)
  expect(await offer('/api/auth/me', 'TLS/1.0')).toBe(401)
  const head = 'GET /health HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\nconnection: close, upgrade\r\n\r\n'
  expect(await overTls(head)).toMatch(/^HTTP\/1.1 200/)
})

test('a WebSocket where there is none is not found', async () => {
  expect(await offer('/api/auth/me', 'websocket')).toBe(404)
})

test('what is no HTTP is answered with a problem document over TLS as well', async () => {
  expect(await overTls('hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400[\s\S]*"code":"invalid_request"/)
})
