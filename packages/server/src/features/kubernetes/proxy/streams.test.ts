import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect as connectSocket, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fakeToken } from '../testing/fake-cluster.ts'
import { as, proxyCaller, proxyPath, proxyServer } from '../testing/proxy-server.ts'
import { soonMs } from '../../../testing/soon.ts'

const { cluster, streams, state, recorded, addresses, callers, port, begin } = await proxyServer()

async function openWatch(
  token: string,
): Promise<{ answer: IncomingMessage; lines: string[]; closed: Promise<number> }> {
  cluster.put('/api/v1/pods', { metadata: { name: 'a' } })
  const sent = begin('GET', `${proxyPath}/api/v1/pods?watch=1`, as(token))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const lines: string[] = []
  answer.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
  answer.on('error', () => undefined)
  const closed = new Promise<number>((resolve) => answer.once('close', () => resolve(Date.now())))
  return { answer, lines, closed }
}

test('a watch’s events arrive as they come, and it outlives the time-out of plain answers', async () => {
  const { answer, lines } = await openWatch('owner')
  const first = once(answer, 'data')
  cluster.put('/api/v1/pods', { metadata: { name: 'b' } })
  await first
  expect(lines.join('')).toContain('"name":"b"')
  await delay(1800)
  const second = once(answer, 'data')
  cluster.put('/api/v1/pods', { metadata: { name: 'c' } })
  await second
  answer.destroy()
})

test('a watch ends at once when its token, its user’s membership or its cluster ends, and others go on', async () => {
  const ends = [
    ['owner', { kind: 'token', id: 'OWNER' }],
    ['session', { kind: 'session', id: 's' }],
    ['owner', { kind: 'member', organizationId: 1, userId: 1 }],
    ['owner', { kind: 'cluster', clusterId: 7 }],
  ] as const
  for (const [token, ended] of ends) {
    const watch = await openWatch(token)
    streams.end({ kind: 'token', id: 'somebody else’s' })
    expect(streams.all()).toHaveLength(1)
    const at = Date.now()
    streams.end(ended)
    expect((await watch.closed) - at).toBeLessThan(soonMs)
    expect(streams.all()).toEqual([])
  }
})

test('a watch ends when its token expires', async () => {
  const expiresAt = new Date(Date.now() + 500)
  callers['expiring'] = proxyCaller('OWNER', { expiresAt, credential: { kind: 'token', id: 'e' } })
  const watch = await openWatch('expiring')
  expect(await watch.closed).toBeGreaterThanOrEqual(expiresAt.getTime() - 50)
})

test('a right that ended while the request was being admitted is not missed', () => {
  const mark = streams.mark()
  streams.end({ kind: 'token', id: 'late' })
  const stream = {
    caller: proxyCaller('OWNER', { credential: { kind: 'token', id: 'late' } }),
    clusterId: 7,
    token: '',
    isEndless: true,
    openedAtMs: 0,
    end: () => undefined,
  }
  expect(streams.add(stream, mark)).toBe(false)
  expect(streams.add(stream, streams.mark())).toBe(true)
  streams.remove(stream)
})

test('a client that leaves ends the cluster’s watch too', async () => {
  const { answer } = await openWatch('owner')
  await expect.poll(() => cluster.watches()).toBe(1)
  answer.destroy()
  await expect.poll(() => cluster.watches()).toBe(0)
})

async function openSocket(
  path: string,
  headers: Record<string, string>,
): Promise<{ socket: Socket; read: () => string }> {
  const socket = connectSocket(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  const lines = Object.entries({ host: 'x', connection: 'Upgrade', upgrade: 'websocket', ...headers })
  socket.write(
    `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  await expect.poll(() => text).toContain('\r\n\r\n')
  return { socket, read: () => text }
}

const execPath = `${proxyPath}/api/v1/namespaces/a/pods/x/exec?command=ls&stdout=1`

test('an exec is joined with the cluster both ways, is recorded, and ends when its right does', async () => {
  const { socket, read } = await openSocket(execPath, {
    ...as('member'),
    'sec-websocket-protocol': 'v5.channel.k8s.io',
  })
  await expect.poll(read).toContain('hello ')
  expect(read()).toMatch(/^HTTP\/1.1 101/)
  expect(read()).not.toContain('set-cookie')
  socket.write('there')
  await expect.poll(read).toContain('hello there')
  expect(recorded).toEqual([{ verb: 'get', code: 101, resource: 'pods' }])
  expect(cluster.seen[0]?.headers).toMatchObject({
    authorization: `Bearer ${fakeToken}`,
    'impersonate-group': 'bey:editors',
    'sec-websocket-protocol': 'v5.channel.k8s.io',
  })
  streams.end({ kind: 'token', id: 'MEMBER' })
  await once(socket, 'close')
})

test('a browser’s token comes as a subprotocol, and goes no further', async () => {
  const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from('member').toString('base64url')}, v5.channel.k8s.io`
  const { socket, read } = await openSocket(execPath, { 'sec-websocket-protocol': protocol })
  expect(read()).toMatch(/^HTTP\/1.1 101/)
  expect(cluster.seen[0]?.headers['sec-websocket-protocol']).toBe('v5.channel.k8s.io')
  socket.destroy()
})

test('a refused exec is answered with a Status', async () => {
  expect((await openSocket(execPath, as('viewer'))).read()).toMatch(/^HTTP\/1.1 403[\s\S]*"kind":"Status"/)
  expect((await openSocket(execPath, {})).read()).toMatch(/^HTTP\/1.1 401/)
  expect((await openSocket(execPath, { ...as('owner'), upgrade: 'h2c' })).read()).toMatch(/^HTTP\/1.1 400/)
  expect(cluster.seen).toEqual([])
})

test('an exec that cannot be recorded does not happen', async () => {
  state.isAuditBroken = true
  const { read } = await openSocket(execPath, as('owner'))
  expect(read()).toMatch(/^HTTP\/1.1 503[\s\S]*"kind":"Status"[\s\S]*The database is down/)
  expect(cluster.seen).toEqual([])
})

test('an exec is recorded with the address that the server found, not that of the connection', async () => {
  const { socket } = await openSocket(execPath, { ...as('owner'), 'x-test-address': '203.0.113.9' })
  expect(addresses).toEqual(['203.0.113.9'])
  socket.destroy()
})
