import { expect, test } from 'vitest'
import { clusterEvent, credentials, liveHarness } from '../testing/live-harness.ts'

test('a ping every 30 s, answered by a PONG, measures the round trip', async () => {
  const { live, clock, sockets, connected, settled } = liveHarness()
  const pings = () => sockets.last().sent.filter((frame) => frame.type === 'PING')
  connected()
  clock.advance(29_999)
  expect(pings()).toEqual([])
  clock.advance(1)
  expect(pings()).toMatchObject([{ payload: { timestamp: clock.now() } }])
  clock.advance(40)
  sockets.last().receive({ type: 'PONG', id: pings()[0]?.id, payload: { timestamp: 0 } })
  await settled()
  expect(live.state.connection_details.ping_time).toBe(40)
  clock.advance(29_960)
  expect(pings()).toHaveLength(2)
})

test('within 35 s of a dead connection the state says so', async () => {
  const { live, clock, sockets, connected, status, settled } = liveHarness()
  connected()
  clock.advance(34_999)
  expect(status()).toBe('connected')
  clock.advance(1)
  await settled()
  expect(live.state).toMatchObject({ connection_status: 'reconnecting', last_error: 'Ping timeout' })
  expect(sockets.last().closed).toBeDefined()
})

test('a dead connection is found out within 10 s of waking from sleep', async () => {
  const { live, clock, sockets, connected, status, settled } = liveHarness()
  connected()
  const pings = () => sockets.last().sent.filter((frame) => frame.type === 'PING')
  clock.sleep(3_600_000)
  clock.advance(5_000)
  expect(pings()).toHaveLength(1)
  expect(status()).toBe('connected')
  clock.advance(5_000)
  await settled()
  expect(live.state).toMatchObject({ connection_status: 'reconnecting', last_error: 'Ping timeout' })
})

test('a page that is merely slow is not taken for one that slept', () => {
  const { clock, sockets, connected } = liveHarness()
  connected()
  clock.sleep(9_000)
  clock.advance(5_000)
  expect(sockets.last().sent.filter((frame) => frame.type === 'PING')).toEqual([])
})

test('commands and pings require a connected socket', async () => {
  const { live } = liveHarness()
  live.connect(credentials)
  const subscribe = { type: 'SUBSCRIBE', payload: { kind: 'workflows' } } as const
  await expect(live.ping()).rejects.toThrow('Not connected or socket not open')
  await expect(live.command(subscribe)).rejects.toThrow('Not connected or socket not open')
})

test('a command resolves with its result', async () => {
  const { live, sockets, connected, answerCommand } = liveHarness()
  connected()
  const command = live.command({ type: 'SUBSCRIBE', payload: { kind: 'workflows' } })
  expect(sockets.last().sent.at(-1)).toMatchObject({
    type: 'COMMAND',
    payload: { type: 'SUBSCRIBE', payload: { kind: 'workflows' } },
  })
  answerCommand()
  await expect(command).resolves.toBeUndefined()
})

test('a command failure rejects with the server’s words or ‘Command failed’', async () => {
  const { live, connected, answerCommand } = liveHarness()
  connected()
  const first = live.command({ type: 'SUBSCRIBE', payload: { kind: 'cluster', clusterId: 9 } })
  answerCommand(-1, { success: false, error: 'There is no cluster 9.' })
  await expect(first).rejects.toThrow('There is no cluster 9.')
  const second = live.command({ type: 'SUBSCRIBE', payload: { kind: 'workflows' } })
  answerCommand(-1, { success: false })
  await expect(second).rejects.toThrow('Command failed')
})

test('a command without an answer times out after 30 s', async () => {
  const { live, clock, connected } = liveHarness()
  connected()
  const command = live.command({ type: 'UNSUBSCRIBE', payload: { kind: 'workflows' } })
  const failure = expect(command).rejects.toThrow('Command timeout: UNSUBSCRIBE')
  clock.advance(30_000)
  await failure
})

test('pending commands are rejected when the connection closes', async () => {
  const { live, sockets, connected } = liveHarness()
  connected()
  const command = live.command({ type: 'SUBSCRIBE', payload: { kind: 'workflows' } })
  const failure = expect(command).rejects.toThrow('Connection closed')
  sockets.last().close()
  await failure
})

const followedOn = (sockets: ReturnType<typeof liveHarness>['sockets']) =>
  sockets
    .last()
    .sent.filter((frame) => frame.type === 'COMMAND')
    .map(({ payload }) => `${payload.type} ${JSON.stringify(payload.payload)}`)

test('a thing followed twice is subscribed once and unsubscribed with the last follower', () => {
  const { live, connected, sockets } = liveHarness()
  connected()
  const first = live.subscribe({ kind: 'cluster', clusterId: 1 })
  const second = live.subscribe({ kind: 'cluster', clusterId: 1 })
  expect(followedOn(sockets)).toEqual(['SUBSCRIBE {"kind":"cluster","clusterId":1}'])
  first()
  first()
  expect(followedOn(sockets)).toHaveLength(1)
  second()
  expect(followedOn(sockets).at(-1)).toBe('UNSUBSCRIBE {"kind":"cluster","clusterId":1}')
})

test('what was followed before connecting, and over a reconnect, is followed again; what was released is not', () => {
  const { live, clock, sockets, accept, connected } = liveHarness()
  live.subscribe({ kind: 'engine_status' })
  const release = live.subscribe({ kind: 'workflow', workflowId: 'w' })
  connected()
  expect(followedOn(sockets)).toHaveLength(2)
  release()
  sockets.last().close()
  clock.advance(1_000)
  accept()
  expect(followedOn(sockets)).toEqual(['SUBSCRIBE {"kind":"engine_status"}'])
})

test('a follower hears each time that its subscription took effect, or why not', async () => {
  const { live, clock, sockets, accept, connected, answerCommand, settled } = liveHarness()
  const results: (string | undefined)[] = []
  live.subscribe({ kind: 'cluster', clusterId: 1 }, (error) => results.push(error?.message))
  connected()
  answerCommand()
  await settled()
  expect(results).toEqual([undefined])
  sockets.last().close()
  clock.advance(1_000)
  accept()
  answerCommand(-1, { success: false, error: 'There is no cluster 1.' })
  await settled()
  expect(results).toEqual([undefined, 'There is no cluster 1.'])
})

test('SUBSCRIPTION_UPDATE is what the state shows, and it is empty without a connection', () => {
  const { live, sockets, connected } = liveHarness()
  connected()
  sockets.last().receive({ type: 'SUBSCRIPTION_UPDATE', payload: { subscriptions: [{ kind: 'workflows' }] } })
  expect(live.state.subscriptions).toEqual([{ kind: 'workflows' }])
  sockets.last().close()
  expect(live.state.subscriptions).toEqual([])
})

test('after every connect what is on screen is fetched, once all is followed again', async () => {
  const { live, clock, sockets, accept, connected, answerCommand, settled } = liveHarness()
  const reasons: string[] = []
  live.onRefetch((reason) => reasons.push(reason))
  connected()
  expect(reasons).toEqual(['Connected'])
  live.subscribe({ kind: 'workflows' })
  sockets.last().close()
  clock.advance(1_000)
  accept()
  await settled()
  expect(reasons).toEqual(['Connected'])
  answerCommand()
  await settled()
  expect(reasons).toEqual(['Connected', 'Connected'])
})

test('REFETCH from the server is passed on with its reason', () => {
  const { live, sockets, connected } = liveHarness()
  const reasons: string[] = []
  connected()
  live.onRefetch((reason) => reasons.push(reason))
  sockets.last().receive({ type: 'REFETCH', payload: { reason: 'slow' } })
  expect(reasons).toEqual(['slow'])
})

test('subscribers match by exact name, by * and by wildcard', () => {
  const { live, sockets } = liveHarness()
  const seen: string[] = []
  live.on('CLUSTER_PROVISIONING_UPDATE', (event) => seen.push(`exact ${event.data.clusterId}`))
  live.on('CLUSTER_*', () => seen.push('wildcard'))
  live.on('*_UPDATE', () => seen.push('end'))
  live.on('WORKFLOW_*', () => seen.push('other'))
  const stop = live.on('*', (frame) => seen.push(frame.type))
  live.connect(credentials)
  sockets.last().receive(clusterEvent())
  expect(seen).toEqual(['exact 1', 'wildcard', 'end', 'CLUSTER_PROVISIONING_UPDATE'])
  stop()
  sockets.last().receive({ type: 'CONNECTED', payload: { connectionId: 'c', timestamp: 1 } })
  expect(seen).toHaveLength(4)
})

test('any other type is a generic event', () => {
  const { live, sockets, connected } = liveHarness()
  const seen: unknown[] = []
  live.on('EVENT', (frame) => seen.push(frame))
  connected()
  sockets.last().receive({ type: 'BACKUP_DONE', data: { id: 1 } })
  sockets.last().receive(clusterEvent())
  expect(seen).toEqual([{ type: 'BACKUP_DONE', data: { id: 1 } }])
})

test('events are filtered by organization', () => {
  const { live, sockets, connected } = liveHarness()
  const seen: unknown[] = []
  connected()
  live.on('*', (frame) => seen.push(frame))
  sockets.last().receive(clusterEvent(8))
  expect(seen).toEqual([])
  expect(live.state.events).toEqual([])
  sockets.last().receive(clusterEvent(7))
  expect(seen).toHaveLength(1)
})

test('what is no frame is logged and survived', () => {
  const { sockets, logged, connected, status } = liveHarness()
  connected()
  for (const text of ['', '{', 'null', '[]', '5', '{"type":5}', '{"type":"PONG","payload":null}']) {
    sockets.last().receive(text)
  }
  expect(status()).toBe('connected')
  expect(logged.filter((text) => text.includes('could not be read'))).toHaveLength(6)
})

test('a subscriber that fails does not keep the others from theirs', () => {
  const { live, sockets, logged, connected } = liveHarness()
  const seen: string[] = []
  connected()
  live.on('*', () => {
    throw new Error('broken')
  })
  live.on('*', (frame) => seen.push(frame.type))
  sockets.last().receive(clusterEvent())
  expect(seen).toEqual(['CLUSTER_PROVISIONING_UPDATE'])
  expect(logged).toContain('A subscriber of the live socket failed')
})

test('the log keeps the newest 100 messages, sent and received', () => {
  const { live, sockets, connected } = liveHarness()
  connected()
  for (let i = 1; i <= 250; i += 1) sockets.last().receive({ type: `N${i}` })
  expect(live.messages).toHaveLength(100)
  expect(live.messages.at(-1)).toEqual({
    id: expect.any(Number),
    type: 'received',
    timestamp: expect.stringMatching(/Z$/),
    data: { type: 'N250' },
  })
  expect(live.messages[0]).toMatchObject({ data: { type: 'N151' } })
  expect(live.messages).toBe(live.messages)
})

test('the state keeps the newest 50 events and the time of the last activity', () => {
  const { live, clock, sockets, connected } = liveHarness()
  connected()
  clock.advance(1_000)
  for (let i = 1; i <= 60; i += 1) sockets.last().receive({ ...clusterEvent(), id: `e${i}` })
  expect(live.state.events.map((event) => event.id)).toEqual(
    Array.from({ length: 50 }, (_, i) => `e${i + 11}`),
  )
  expect(live.state.last_activity).toBe(new Date(clock.now()).toISOString())
})

test('the newest 10 messages of the connection are kept', () => {
  const { live, sockets, connected } = liveHarness()
  connected()
  for (let i = 0; i < 20; i += 1) {
    sockets.last().close(1006, `number ${i}`)
    live.pageBecameVisible()
  }
  const messages = live.state.connection_details.connection_messages.map(({ message }) => message)
  expect(messages).toHaveLength(10)
  expect(messages.slice(-2)).toEqual([
    'Connection closed (1006: number 19)',
    'Connecting, attempt 20 of infinity',
  ])
})

test('the state stays the same object while nothing happens, and is never mutated', () => {
  const { live, sockets, connected } = liveHarness()
  connected()
  const before = live.state
  const copy = structuredClone(before)
  expect(live.state).toBe(before)
  sockets.last().receive(clusterEvent())
  sockets.last().close()
  expect(before).toEqual(copy)
  expect(live.state).not.toBe(before)
})
