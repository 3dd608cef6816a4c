import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

import { createAddressGuard, readOutboundPolicy } from '../../../platform/outbound/address-guard.ts'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { readCertificate } from '../read-certificate.ts'
import { issued, newAuthority } from '../testing/issued.ts'
import { testHost, type TestedHost } from './test-host.ts'

const outbound = createOutbound(createAddressGuard(readOutboundPolicy('any')))
const authority = await newAuthority()
const host = 'shop.example'
const resolve = async () => ['127.0.0.1']

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

async function tlsServer(answer: RequestListener, names = [host], endsInDays = 60) {
  const leaf = await issued(authority, names, endsInDays)
  const server = createServer({ key: leaf.keyPem, cert: leaf.certificatePem }, answer)
  onTestFinished(() => server.closeAllConnections())
  const read = readCertificate(leaf.certificatePem)
  const fingerprint = 'facts' in read ? read.facts.fingerprint : ''
  return { port: await listening(server), fingerprint }
}

async function httpServer(answer: RequestListener) {
  const server = createHttpServer(answer)
  onTestFinished(() => server.closeAllConnections())
  return listening(server)
}

const ask = (given: Partial<TestedHost> & { port: number }, names = resolve, by = outbound) =>
  testHost(by, { host, path: '/', isTls: false, expected: undefined, ...given }, names)

test('every step is timed, one after the other, and a host that works says so', async () => {
  const port = await httpServer((_request, response) => response.end('hello'))
  const found = await ask({ port })
  expect(found).toMatchObject({
    result: 'passed',
    sentence: 'It works: It answers 200 OK.',
    status: 200,
    addresses: ['127.0.0.1'],
  })
  expect(found.steps.map(({ step, state }) => `${step} ${state}`)).toEqual([
    'dns passed',
    'tcp passed',
    'http passed',
  ])
  const [dns, tcp, http] = found.steps
  expect(tcp?.startMs).toBeGreaterThanOrEqual(dns?.durationMs ?? 0)
  expect(http?.startMs).toBeGreaterThanOrEqual((tcp?.startMs ?? 0) + (tcp?.durationMs ?? 0) - 0.2)
  expect(found.durationMs).toBeGreaterThanOrEqual(http?.startMs ?? 0)
})

test('a name that does not exist ends the test there', async () => {
  const missing = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND shop.example'), { code: 'ENOTFOUND' })
  }
  const found = await ask({ port: 443 }, missing)
  expect(found).toMatchObject({
    result: 'failed',
    sentence: 'There is no such name: shop.example does not resolve.',
    steps: [{ step: 'dns', state: 'failed' }],
  })
})

test('a refused connection is said of its address; one that works beside it is used', async () => {
  const free = createTcpServer()
  const closed = await listening(free)
  free.close()
  expect(await ask({ port: closed })).toMatchObject({
    result: 'failed',
    sentence: `shop.example port ${closed}: refused the connection.`,
  })
  const port = await httpServer((_request, response) => response.end('ok'))
  const found = await ask({ port }, async () => ['127.0.0.2', '127.0.0.1'])
  expect(found.status).toBe(200)
})

test('an address that the guard refuses is not connected to', async () => {
  const found = await ask({ port: 80 }, async () => ['169.254.169.254'])
  expect(found.result).toBe('failed')
  expect(found.steps[1]?.text).toContain('link-local')
  let connections = 0
  const port = await listening(createTcpServer(() => (connections += 1)))
  const guarded = createOutbound(createAddressGuard(readOutboundPolicy('public')))
  const inside = await ask({ port, address: '127.0.0.1' }, resolve, guarded)
  expect(inside.steps[1]?.text).toContain('not public')
  expect(connections).toBe(0)
})

test('TLS is compared with the Secret, and what a browser would refuse has its sentence', async () => {
  const good = await tlsServer((_request, response) => response.end('ok'))
  const same = await ask({ port: good.port, isTls: true, expected: [good.fingerprint] })
  expect(same.certificate).toMatchObject({ subject: host, isFromSecret: true, isTrusted: false })
  // The authority of the test is nobody's.
  expect(same.sentence).toBe(
    'The issuer of the certificate is not trusted here, or a certificate between is not sent.',
  )
  expect(same.status).toBe(200)
  const other = await ask({ port: good.port, isTls: true, expected: ['00'] })
  expect(other.certificate?.isFromSecret).toBe(false)
  // What is wrong with the certificate itself comes before its issuer, which the server may know and this one not.
  const misnamed = await tlsServer((_request, response) => response.end('ok'), ['other.example'])
  expect(await ask({ port: misnamed.port, isTls: true })).toMatchObject({
    result: 'failed',
    sentence: 'The certificate is not for shop.example.',
    status: 200,
  })
  const expired = await tlsServer((_request, response) => response.end('ok'), [host], -3)
  const over = await ask({ port: expired.port, isTls: true, expected: [expired.fingerprint] })
  const day = over.certificate?.expiresAt.slice(0, 10)
  expect(over).toMatchObject({ result: 'failed', sentence: `The certificate expired on ${day}.` })
  expect(over.steps.at(-2)).toMatchObject({ step: 'tls', state: 'failed' })
})

test('a server that does not speak TLS, and one that speaks no HTTP, are told apart', async () => {
  const plain = await httpServer((_request, response) => response.end('ok'))
  const found = await ask({ port: plain, isTls: true })
  expect(found).toMatchObject({ result: 'failed', sentence: 'It does not speak TLS on this port.' })
  expect(found.steps.at(-1)).toMatchObject({ step: 'tls', state: 'failed' })
  const odd = await listening(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')))
  expect((await ask({ port: odd })).sentence).toBe('It answers something that is not HTTP.')
})

test.each([
  [404, 'default backend - 404', 'from the default backend of the controller'],
  [404, 'nothing here', 'or the service has nothing there'],
  [502, '', 'a backend that does not answer as it should'],
  [503, '', 'no backend that is ready'],
  [504, '', 'did not answer the controller in time'],
])('an answer of %s "%s" says what it means', async (status, body, sentence) => {
  const port = await httpServer((_request, response) => response.writeHead(status).end(body))
  const found = await ask({ port, path: '/api?token=secret' })
  expect(found).toMatchObject({ result: 'failed', status })
  expect(found.sentence).toContain(sentence)
  expect(JSON.stringify(found.steps)).not.toContain('secret')
})

test('a redirect is answered as it is and not followed, and an endless body is not read', async () => {
  let inside = 0
  const inner = await httpServer((_request, response) => {
    inside += 1
    response.end()
  })
  const port = await httpServer((_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${inner}/` }).end(),
  )
  expect(await ask({ port })).toMatchObject({ result: 'passed', status: 302 })
  expect(inside).toBe(0)
  const closed = Promise.withResolvers<void>()
  const endless = await httpServer((_request, response) => {
    response.writeHead(404)
    const timer = setInterval(() => response.write('x'.repeat(64 * 1024)), 1)
    response.on('close', () => {
      clearInterval(timer)
      closed.resolve()
    })
  })
  expect((await ask({ port: endless })).status).toBe(404)
  await closed.promise
})
