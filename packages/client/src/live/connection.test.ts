import { expect, test } from 'vitest'
import { fakeClock } from '../testing/fake-clock.ts'
import { clusterEvent, credentials, liveHarness } from '../testing/live-harness.ts'
import { createLiveSocket } from './live-socket.ts'

test('disconnected → connecting → connected after an authentication reply with success', () => {
  const { live, statuses, connected, status } = liveHarness()
  expect(status()).toBe('disconnected')
  connected()
  expect(statuses).toEqual(['connecting', 'connected'])
  expect(live.state).toMatchObject({
    last_error: null,
    id: 'c1',
    user_id: 3,
    organization_id: 7,
    user: { name: 'Ada' },
    ip: '127.0.0.1',
    connection_details: {
      connection_attempts: 0,
      max_connection_attempts: 5,
      cluster_id: null,
      node_version: '0.1.0',
      connected_since: '2026-11-21T12:00:00.100Z',
    },
  })
})

test('AUTHENTICATE goes out 100 ms after open, and the token nowhere else', () => {
  const { live, clock, sockets } = liveHarness()
  live.connect(credentials)
  expect(sockets.last().url).toBe('ws://bey/ws')
  sockets.last().open()
  clock.advance(99)
  expect(sockets.last().sent).toEqual([])
  clock.advance(1)
  expect(sockets.last().sent).toEqual([{ type: 'AUTHENTICATE', payload: credentials }])
  expect(JSON.stringify(live.messages)).not.toContain('tok"')
})

test('connecting requires a token', () => {
  const { live, sockets, logged, status } = liveHarness()
  live.connect({ token: '', organizationId: 7 })
  expect(logged).toEqual(['Cannot connect: Token is required'])
  expect(sockets.all).toEqual([])
  expect(status()).toBe('disconnected')
})

test('connecting requires an organization', () => {
  const { live, sockets } = liveHarness()
  live.connect({ token: 'tok', organizationId: 0 })
  expect(sockets.all).toEqual([])
})

test('a connect request is ignored while a socket is open or connecting', () => {
  const { live, sockets, accept } = liveHarness()
  live.connect(credentials)
  live.connect({ token: 'other', organizationId: 8 })
  accept()
  live.connect(credentials)
  expect(sockets.all).toHaveLength(1)
  expect(sockets.last().sent[0]).toMatchObject({ payload: credentials })
})

test('an attempt times out after 10 s, is disconnected for an instant and then retried', () => {
  const { live, clock, sockets, statuses, status } = liveHarness()
  live.connect(credentials)
  clock.advance(9_999)
  expect(status()).toBe('connecting')
  clock.advance(1)
  expect(statuses).toEqual(['connecting', 'disconnected', 'reconnecting'])
  expect(live.state.last_error).toBe('Connection timeout')
  expect(sockets.last().closed).toBeDefined()
  clock.advance(1_000)
  expect(sockets.all).toHaveLength(2)
})

test('a socket that opens but is never accepted times out as well', () => {
  const { live, clock, sockets } = liveHarness()
  live.connect(credentials)
  sockets.last().open()
  clock.advance(10_000)
  expect(live.state.last_error).toBe('Connection timeout')
})

test('failed authentication → disconnected with the server’s words, closed with 1008, not retried', () => {
  const { live, clock, sockets, accept } = liveHarness()
  live.connect(credentials)
  accept({ type: 'AUTHENTICATED', payload: { success: false, error: 'The session has expired' } })
  expect(live.state).toMatchObject({
    connection_status: 'disconnected',
    last_error: 'The session has expired',
  })
  expect(sockets.last().closed?.code).toBe(1008)
  clock.advance(120_000)
  live.pageBecameVisible()
  expect(sockets.all).toHaveLength(1)
})

test('who was refused in one organization can switch to another, or try again on purpose', () => {
  const { live, clock, sockets, accept, connected, status } = liveHarness()
  connected()
  sockets.last().close(1008)
  live.switchOrganization(8)
  clock.advance(100)
  accept()
  expect(status()).toBe('connected')
  expect(sockets.last().sent[0]).toMatchObject({ payload: { token: 'tok', organizationId: 8 } })
  sockets.last().close(1008)
  live.reconnect()
  expect(status()).toBe('connecting')
})

test('failed authentication without words says so itself', () => {
  const { live, accept } = liveHarness()
  live.connect(credentials)
  accept({ type: 'AUTHENTICATED', payload: { success: false } })
  expect(live.state.last_error).toBe('Authentication failed')
})

test('close code 1008 → disconnected with ‘Authentication failed’, also later on', () => {
  const { live, clock, sockets, connected } = liveHarness()
  connected()
  sockets.last().close(1008, 'Session ended')
  expect(live.state).toMatchObject({ connection_status: 'disconnected', last_error: 'Authentication failed' })
  clock.advance(120_000)
  expect(sockets.all).toHaveLength(1)
})

test('1008 before the credentials were even sent is retried', () => {
  const { live, sockets, status } = liveHarness()
  live.connect(credentials)
  sockets.last().open()
  sockets.last().close(1008)
  expect(status()).toBe('reconnecting')
})

test('an address that is none is a failure like any other', () => {
  const live = createLiveSocket({
    url: 'nonsense',
    clock: fakeClock(),
    openSocket: () => {
      throw new SyntaxError('Invalid URL')
    },
  })
  live.connect(credentials)
  expect(live.state.connection_status).toBe('reconnecting')
})

test('on close → reconnecting, or disconnected if deliberate', () => {
  const { live, clock, sockets, accept, connected, status } = liveHarness()
  connected()
  sockets.last().close(1006)
  expect(live.state).toMatchObject({
    connection_status: 'reconnecting',
    last_error: 'Connection closed',
    id: null,
  })
  live.reconnect()
  accept()
  live.disconnect()
  expect(status()).toBe('disconnected')
  expect(sockets.last().closed?.code).toBe(1000)
  clock.advance(120_000)
  expect(sockets.all).toHaveLength(2)
})

test('retries are unlimited and exponential from 1 s to 30 s', () => {
  const { live, clock, sockets, connected } = liveHarness()
  connected()
  const delays: number[] = []
  sockets.last().close()
  for (let i = 0; i < 12; i += 1) {
    const before = sockets.all.length
    const startedAt = clock.now()
    while (sockets.all.length === before) clock.advance(100)
    delays.push(clock.now() - startedAt)
    sockets.last().close()
  }
  expect(delays.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  expect(live.state.connection_details.connection_attempts).toBe(12)
})

test('retries are spread by chance and never pass 30 s', () => {
  const { clock, sockets, chance, connected } = liveHarness()
  chance.value = 1
  connected()
  sockets.last().close()
  clock.advance(1_999)
  expect(sockets.all).toHaveLength(1)
  clock.advance(1)
  expect(sockets.all).toHaveLength(2)
  for (let i = 0; i < 10; i += 1) {
    const before = sockets.all.length
    const startedAt = clock.now()
    sockets.last().close()
    while (sockets.all.length === before) clock.advance(1_000)
    expect(clock.now() - startedAt).toBeLessThanOrEqual(30_000)
  }
})

test('attempts are counted and reset on connect', () => {
  const { live, clock, sockets, accept, connected, status } = liveHarness()
  connected()
  sockets.last().close()
  clock.advance(1_000)
  expect(live.state.connection_details.connection_attempts).toBe(1)
  sockets.last().close()
  clock.advance(2_000)
  expect(live.state.connection_details.connection_attempts).toBe(2)
  expect(status()).toBe('reconnecting')
  accept()
  expect(live.state.connection_details.connection_attempts).toBe(0)
  sockets.last().close()
  clock.advance(1_000)
  expect(sockets.all).toHaveLength(4)
})

test('what a socket that was given up still says is not heard', () => {
  const { live, sockets, connected, status } = liveHarness()
  connected()
  const old = sockets.last()
  live.reconnect()
  old.receive(clusterEvent())
  old.close(1008)
  expect(status()).toBe('connecting')
  expect(live.state.events).toEqual([])
})

test.each(['ws://bey/ws', ''])('reconnect needs credentials and a base URL (%j)', (url) => {
  const { live, sockets } = liveHarness(url)
  if (url === '') live.connect(credentials)
  live.disconnect()
  const before = sockets.all.length
  live.reconnect()
  expect(live.state).toMatchObject({
    connection_status: 'disconnected',
    last_error: 'No credentials or base URL for reconnection',
  })
  expect(sockets.all).toHaveLength(before)
})

test('a deliberate disconnect leaves no error of before behind, and nothing is tried', () => {
  const { live, clock, sockets, connected } = liveHarness()
  connected()
  sockets.last().close(1006)
  expect(live.state.last_error).toBe('Connection closed')
  live.disconnect()
  expect(live.state).toMatchObject({ connection_status: 'disconnected', last_error: null })
  clock.advance(120_000)
  expect(sockets.all).toHaveLength(1)
})

test('reconnect works after a deliberate disconnect, and does not wait', () => {
  const { live, sockets, connected, status } = liveHarness()
  connected()
  live.disconnect()
  live.reconnect()
  expect(status()).toBe('connecting')
  expect(sockets.all).toHaveLength(2)
})

test('a page that becomes visible reconnects at once when credentials are held', () => {
  const { live, clock, sockets, accept, connected } = liveHarness()
  connected()
  sockets.last().close()
  live.pageBecameVisible()
  expect(sockets.all).toHaveLength(2)
  live.pageBecameVisible()
  expect(sockets.all).toHaveLength(2)
  accept()
  clock.advance(5_000)
  expect(sockets.all).toHaveLength(2)
})

test('a page that becomes visible without credentials does nothing', () => {
  const { live, sockets, connected } = liveHarness()
  live.pageBecameVisible()
  connected()
  live.forget()
  live.pageBecameVisible()
  expect(sockets.all).toHaveLength(1)
})

test('a page that becomes visible over a dead connection finds out within 5 s', async () => {
  const { live, clock, connected, settled } = liveHarness()
  connected()
  live.pageBecameVisible()
  clock.advance(5_000)
  await settled()
  expect(live.state.last_error).toBe('Ping timeout')
})

test('the socket is closed cleanly on page unload', () => {
  const { live, clock, sockets, connected } = liveHarness()
  connected()
  live.pageUnloads()
  expect(sockets.last().closed).toEqual({ code: 1000, reason: 'Page unload' })
  clock.advance(120_000)
  expect(sockets.all).toHaveLength(1)
  expect(clock.pending()).toBe(0)
})

test('an organization switch disconnects and reconnects with the new one after 100 ms', () => {
  const { live, clock, sockets, accept, connected, status } = liveHarness()
  connected()
  sockets.last().receive(clusterEvent())
  live.switchOrganization(8)
  expect(sockets.last().closed?.code).toBe(1000)
  expect(live.state).toMatchObject({ connection_status: 'disconnected', events: [] })
  clock.advance(99)
  expect(sockets.all).toHaveLength(1)
  clock.advance(1)
  expect(status()).toBe('connecting')
  accept()
  expect(sockets.last().sent[0]).toMatchObject({ payload: { token: 'tok', organizationId: 8 } })
})

test('forgetting leaves nothing of the person who was logged in', () => {
  const { live, sockets, connected } = liveHarness()
  connected()
  sockets.last().receive(clusterEvent())
  live.forget()
  expect(live.messages).toEqual([])
  expect(live.state).toMatchObject({ user: null, events: [], connection_status: 'disconnected' })
  expect(JSON.stringify(live.state)).not.toContain('ada')
})
