import { randomBytes } from 'node:crypto'
import { connect as connectTcp } from 'node:net'
import { expect, test } from 'vitest'
import { createGiven } from '../../testing/given.ts'
import { testDatabase } from '../../testing/database.ts'
import { fakeClock } from '../../testing/clock.ts'
import { connect, flushed, liveServer, openSocket } from './testing/live-server.ts'

const database = await testDatabase()
const given = createGiven(database)
const existing = new Set([
  'workflow',
  'workflows',
  'organization',
  'engine_status',
  'cluster',
  'cluster_metrics',
])
const { url, live } = await liveServer(database, {
  canFollow: async (_, subscription) => existing.has(subscription.kind),
})
const user = await given.user({ role: 'VIEWER' })

test('the server says hello, and authenticates with who it is', async () => {
  const socket = await openSocket(url)
  const connected = await socket.frame('CONNECTED')
  const { payload } = await socket.authenticate(user.token, user.organizationId)
  expect(payload).toEqual({
    success: true,
    connectionId: connected.payload?.['connectionId'],
    userId: user.id,
    organizationId: user.organizationId,
    user: { id: user.id, email: user.email, name: user.name },
    ip: '127.0.0.1',
    clusterId: null,
    version: '0.1.0',
    position: expect.stringMatching(/^[0-9a-f]{8}\.0\.0$/) as string,
  })
})

test.each([
  ['an unknown token', () => ({ token: 'bey_session_x', organizationId: user.organizationId })],
  [
    'somebody else’s organization',
    async () => ({ token: user.token, organizationId: (await given.organization()).id }),
  ],
  ['an organization that is not', () => ({ token: user.token, organizationId: 2_000_000_000 })],
])('%s is refused in words and closed with 1008', async (_, credentials) => {
  const { token, organizationId } = await credentials()
  const socket = await openSocket(url)
  expect(await socket.authenticate(token, organizationId)).toMatchObject({
    payload: { success: false, error: 'Unauthorized: Please log in again.' },
  })
  expect(await socket.closed()).toEqual({ code: 1008, reason: 'Authentication failed' })
})

test('a server that cannot authenticate says come again, not that the session ended', async () => {
  const { url: broken } = await liveServer(database, {
    authenticate: () => Promise.reject(new Error('database away')),
  })
  const socket = await openSocket(broken)
  socket.send({ type: 'AUTHENTICATE', payload: { token: 't', organizationId: 1 } })
  expect(await socket.closed()).toMatchObject({ code: 1013 })
})

test('a socket that has not authenticated in 10 s is closed with 1008', async () => {
  const clock = fakeClock()
  const { url: slow } = await liveServer(database, { clock })
  const socket = await openSocket(slow)
  await socket.frame('CONNECTED')
  clock.advance(9_999)
  expect(socket.isClosed()).toBe(false)
  clock.advance(1)
  expect(await socket.closed()).toEqual({ code: 1008, reason: 'Not authenticated within 10 s' })
})

test('a socket from which nothing comes for 75 s is dropped', async () => {
  const clock = fakeClock()
  const { url: probing } = await liveServer(database, { clock })
  const dead = await openSocket(probing, {})
  await dead.authenticate(user.token, user.organizationId)
  // The computer is gone: nothing is read, so no ping is answered.
  dead.socket.pause()
  for (let i = 0; i < 4; i += 1) clock.advance(30_000)
  dead.socket.resume()
  expect(await dead.closed()).toMatchObject({ code: 1006 })
})

const deep = `{"type":"PING","id":"1","payload":${'['.repeat(10_000)}${']'.repeat(10_000)}}`

test.each([
  ['not JSON', 'hello', 1007],
  ['no object', '5', 1007],
  ['null', 'null', 1007],
  ['no type', '{"id":"1"}', 1007],
  ['a type that is no text', '{"type":{}}', 1007],
  ['empty', '', 1007],
  ['a list', '[]', 1007],
  ['more than 64 KB', JSON.stringify({ type: 'X', data: 'x'.repeat(65_536) }), 1009],
])('a broken message (%s) closes politely', async (_, text, code) => {
  const socket = await connect(url, user)
  socket.send(text)
  expect(await socket.closed()).toMatchObject({ code })
})

test('bytes instead of text are closed with 1003', async () => {
  const socket = await connect(url, user)
  socket.socket.send(randomBytes(10))
  expect(await socket.closed()).toMatchObject({ code: 1003 })
})

test('text that is not UTF-8 is closed with 1007', async () => {
  const socket = await connect(url, user)
  socket.socket.send(Buffer.from([0xff, 0xfe, 0xfd]), { binary: false })
  expect(await socket.closed()).toMatchObject({ code: 1007 })
})

test('a frame that breaks the protocol itself drops that connection only', async () => {
  const other = await connect(url, user)
  const { port } = new URL(url)
  const tcp = connectTcp(Number(port), '127.0.0.1')
  tcp.write(
    'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await new Promise((resolve) => tcp.once('data', resolve))
  tcp.on('data', () => undefined)
  tcp.write(randomBytes(200))
  await new Promise((resolve) => tcp.once('close', resolve))
  await flushed(other)
})

test.each([
  ['an unknown type', { type: 'DANCE', id: 'a' }, 'There is no message "DANCE"'],
  [
    'an unknown command',
    { type: 'COMMAND', id: 'a', payload: { type: 'DANCE', payload: {} } },
    'There is no such command',
  ],
  ['a command without payload', { type: 'COMMAND', id: 'a' }, 'payload'],
  [
    'an unknown kind',
    { type: 'COMMAND', id: 'a', payload: { type: 'SUBSCRIBE', payload: { kind: 'x' } } },
    'payload',
  ],
  [
    'a cluster id that is none',
    {
      type: 'COMMAND',
      id: 'a',
      payload: { type: 'SUBSCRIBE', payload: { kind: 'cluster', clusterId: 'x' } },
    },
    'payload.payload.clusterId',
  ],
  ['a PING without timestamp', { type: 'PING', id: 'a' }, 'payload'],
])('%s is answered success: false, and the socket lives', async (_, frame, error) => {
  const socket = await connect(url, user)
  socket.send(frame)
  const result = await socket.frame('COMMAND_RESULT')
  expect(result).toMatchObject({ id: 'a', payload: { commandId: 'a', success: false } })
  expect(result.payload?.['error']).toContain(error)
  await flushed(socket)
})

test('JSON nested ten thousand deep is survived', async () => {
  const socket = await connect(url, user)
  socket.send(deep)
  await flushed(socket)
})

test('anything before AUTHENTICATE, and a second one, is closed with 1008', async () => {
  const early = await openSocket(url)
  early.send({ type: 'PING', id: '1', payload: { timestamp: 1 } })
  expect(await early.closed()).toEqual({ code: 1008, reason: 'Authenticate first' })
  const twice = await connect(url, user)
  twice.send({ type: 'AUTHENTICATE', payload: { token: user.token, organizationId: user.organizationId } })
  expect(await twice.closed()).toEqual({ code: 1008, reason: 'Authenticated before' })
})

test('what is sent right behind AUTHENTICATE waits for it', async () => {
  const socket = await openSocket(url)
  socket.send({ type: 'AUTHENTICATE', payload: { token: user.token, organizationId: user.organizationId } })
  expect(await socket.follow({ kind: 'workflows' })).toMatchObject({ commandId: 'command 1', success: true })
})

test('a flood of messages closes the socket', async () => {
  const socket = await connect(url, user)
  for (let i = 0; i < 500; i += 1) socket.send({ type: 'PING', id: `${i}`, payload: { timestamp: 1 } })
  expect(await socket.closed()).toEqual({ code: 1013, reason: 'Too many messages' })
})

test('subscriptions are answered, listed and ended', async () => {
  const socket = await connect(url, user)
  expect(await socket.follow({ kind: 'cluster', clusterId: 3 })).toMatchObject({ success: true })
  expect(await socket.follow({ kind: 'cluster', clusterId: 3 })).toMatchObject({ success: true })
  await socket.follow({ kind: 'engine_status' })
  await socket.leave({ kind: 'cluster', clusterId: 3 })
  await flushed(socket)
  const lists = socket.frames.filter((frame) => frame.type === 'SUBSCRIPTION_UPDATE')
  expect(lists.map((frame) => frame.payload?.['subscriptions'])).toEqual([
    [{ kind: 'cluster', clusterId: 3 }],
    [{ kind: 'cluster', clusterId: 3 }],
    [{ kind: 'cluster', clusterId: 3 }, { kind: 'engine_status' }],
    [{ kind: 'engine_status' }],
  ])
})

test('what the organization does not have cannot be followed', async () => {
  const socket = await connect(url, user)
  expect(await socket.follow({ kind: 'cluster_resources', clusterId: 3 })).toMatchObject({
    success: false,
    error: 'There is no such thing in this organization',
  })
})

test('a socket follows at most 200 things', async () => {
  const clock = fakeClock()
  const { url: patient } = await liveServer(database, { clock })
  const socket = await connect(patient, user)
  const results: boolean[] = []
  for (let i = 1; i <= 201; i += 1) {
    // Slowly enough for the limit of messages.
    clock.advance(50)
    results.push((await socket.follow({ kind: 'cluster', clusterId: i })).success)
  }
  expect(results.indexOf(false)).toBe(200)
})

test('a user has at most 20 sockets, and a new one when another is closed', async () => {
  const busy = await given.user()
  const sockets = await Promise.all(Array.from({ length: 20 }, () => connect(url, busy)))
  const before = live.figures().connections
  const extra = await openSocket(url)
  extra.send({ type: 'AUTHENTICATE', payload: { token: busy.token, organizationId: busy.organizationId } })
  expect(await extra.closed()).toMatchObject({ code: 1013 })
  sockets[0]?.socket.close()
  await expect.poll(() => live.figures().connections).toBe(before - 1)
  await connect(url, busy)
})

test.each([
  ['another site', 'https://evil.example', false],
  ['a sandboxed frame', 'null', false],
  ['nonsense', '::', false],
  ['the same host on another port', 'http://127.0.0.1:1', false],
  ['where it connects to', 'own', true],
  ['the public address', 'https://bey.example.com', true],
  ['the public host by another scheme', 'http://bey.example.com', false],
])('a page of %s may connect: %s → %s', async (_, origin, isAllowed) => {
  const origins = { publicUrl: 'https://bey.example.com', hosts: [] }
  const { url: guarded } = await liveServer(database, { origins })
  const own = `http://${new URL(guarded).host}`
  const opening = openSocket(guarded, { origin: origin === 'own' ? own : origin })
  if (isAllowed) expect((await opening).isClosed()).toBe(false)
  else await expect(opening).rejects.toThrow('HTTP 403')
})

// A browser sends the name of its page as Host and Origin alike, whoever made the name resolve to this server.
test.each([
  ['a name that was made to resolve here', 'rebound.evil.example', [], false],
  ['a listed name', 'bey.lan', ['bey.lan'], true],
  ['a name below a listed one', 'evil.bey.lan', ['bey.lan'], false],
  ['localhost', 'localhost', [], true],
  ['an IPv6 address', '[::1]', [], true],
])('a page of %s may connect by that name: %s', async (_, name, hosts, isAllowed) => {
  const { url: guarded } = await liveServer(database, { origins: { publicUrl: undefined, hosts } })
  const host = `${name}:${new URL(guarded).port}`
  const opening = openSocket(guarded, { host, origin: `http://${host}` })
  if (isAllowed) expect((await opening).isClosed()).toBe(false)
  else await expect(opening).rejects.toThrow('HTTP 403')
})
