import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createAddressGuard, type OutboundPolicy, readOutboundPolicy } from './address-guard.ts'
import { createOutbound } from './outbound.ts'
import { OutboundFailure, postOutbound } from './post-outbound.ts'
import { soonMs } from '../../testing/soon.ts'

type Resolve = NonNullable<Parameters<typeof createOutbound>[1]>

/** Names resolve to what `addresses` answers, asked anew each time. */
function outboundOf(policy: OutboundPolicy, addresses?: () => string) {
  const resolve = ((_host: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(null, [{ address: addresses?.() ?? '', family: 4 }])) as unknown as Resolve
  return addresses
    ? createOutbound(createAddressGuard(policy), resolve)
    : createOutbound(createAddressGuard(policy))
}
const any = readOutboundPolicy('any')

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function receiver(answer: RequestListener) {
  const server = createServer(answer)
  onTestFinished(() => server.closeAllConnections())
  return listening(server)
}

const message = {
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  timeoutMs: 300,
  maxResponseBytes: 65_536,
}
const send = (url: string, outbound = outboundOf(any), more: Partial<typeof message> = {}) =>
  postOutbound(outbound, { ...message, ...more, url })

describe('an address that is refused', () => {
  test.each([
    ['http://169.254.169.254/latest/meta-data', 'link-local'],
    ['http://[::ffff:169.254.169.254]/', 'link-local'],
    ['http://[fe80::1]/', 'link-local'],
    ['http://2852039166/', 'link-local'],
    ['http://0xa9.0xfe.0xa9.0xfe/', 'link-local'],
    ['http://100.100.100.200/', 'metadata'],
    ['http://0.0.0.0:80/', 'not the address of one host'],
  ])('%s is never connected to', async (url, reason) => {
    await expect(send(url)).rejects.toThrow(reason)
  })

  test.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://10.0.0.1/',
    'http://localhost/',
  ])('%s is outside where only public addresses are allowed', async (url) => {
    await expect(send(url, outboundOf(readOutboundPolicy('public')))).rejects.toThrow('public')
  })

  test('is refused at the moment of connecting, whatever its name resolved to before', async () => {
    let requests = 0
    const port = await receiver((_request, response) => {
      requests += 1
      response.end('ok')
    })
    const answers = ['127.0.0.1', '169.254.169.254', '127.0.0.1']
    const outbound = outboundOf(any, () => answers.shift() ?? '')
    const url = `http://hooks.example.com:${port}/`
    expect((await send(url, outbound)).status).toBe(200)
    await expect(send(url, outbound)).rejects.toThrow('hooks.example.com resolves to 169.254.169.254')
    expect((await send(url, outbound)).status).toBe(200)
    expect(requests).toBe(2)
  })
})

test('a redirect is answered as it is and not followed, wherever it leads', async () => {
  let inside = 0
  const inner = await receiver((_request, response) => {
    inside += 1
    response.end()
  })
  const port = await receiver((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${inner}/admin` }).end()
  })
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 307 })
  expect(inside).toBe(0)
})

test('a server that takes the connection and never answers is given up', async () => {
  const port = await listening(createTcpServer((socket) => socket.on('error', () => undefined)))
  const failure = await send(`http://127.0.0.1:${port}/`).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(OutboundFailure)
  expect(String(failure)).toContain('did not answer within 0.3 s')
})

test('an answer that trickles in for ever ends at the same time, with what came', async () => {
  const port = await receiver((_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const reply = await send(`http://127.0.0.1:${port}/`)
  expect(reply.status).toBe(200)
  expect(reply.durationMs).toBeLessThan(soonMs)
  expect(reply.head).toMatch(/^\.+$/)
})

test('of an answer of 1 GB the beginning is read, and the connection closed', async () => {
  let sentBytes = 0
  const closed = Promise.withResolvers<void>()
  const port = await receiver((_request, response) => {
    response.writeHead(200, { 'content-length': String(1024 ** 3) })
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const more = () => {
      while (!response.destroyed && sentBytes < 1024 ** 3) {
        sentBytes += chunk.length
        if (!response.write(chunk)) return
      }
    }
    response.on('drain', more)
    response.on('close', () => closed.resolve())
    more()
  })
  const reply = await send(`http://127.0.0.1:${port}/`, outboundOf(any), { timeoutMs: 5_000 })
  expect(reply.head).toHaveLength(65_536)
  await closed.promise
  expect(sentBytes).toBeLessThan(32 * 1024 ** 2)
})

test('what is no HTTP, a refused connection and an unknown name are sentences without the URL', async () => {
  const odd = await listening(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')))
  const texts = await Promise.all(
    [`http://127.0.0.1:${odd}/secret-path?token=abc`, 'http://127.0.0.1:9/secret-path?token=abc'].map((url) =>
      send(url).catch((error: unknown) => String(error)),
    ),
  )
  expect(texts[0]).toContain('answered something that is not HTTP')
  expect(texts[1]).toContain('refused the connection')
  for (const text of texts) expect(text).not.toContain('token')
})

test('headers that are endless are not read', async () => {
  const port = await listening(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.write(`HTTP/1.1 200 OK\r\n${'x-a: '.padEnd(1_000, 'y')}\r\n`.padEnd(2_000, 'z'))
      socket.write(Array.from({ length: 100 }, (_, index) => `x-${index}: ${'y'.repeat(1_000)}\r\n`).join(''))
    }),
  )
  await expect(send(`http://127.0.0.1:${port}/`)).rejects.toThrow(/headers|HTTP/)
})
