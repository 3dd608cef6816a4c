import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { fakeClock } from '../../testing/clock.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { createOutbox, outboxLimits } from './outbox.ts'
import { connect, liveServer } from './testing/live-server.ts'

function slowTransport() {
  const sent: string[] = []
  const state = { bufferedBytes: 0, isTerminated: false }
  return {
    sent,
    state,
    transport: {
      send: (text: string) => void sent.push(text),
      write: (frame: Uint8Array) => void sent.push(Buffer.from(frame).toString()),
      bufferedBytes: () => state.bufferedBytes,
      close: () => undefined,
      terminate: () => void (state.isTerminated = true),
    },
  }
}

const event = Buffer.from('{"type":"X"}')
const refetch = '{"type":"REFETCH","payload":{"reason":"The connection was too slow"}}'

test('a connection that is behind misses events, and is asked once to fetch when it has caught up', () => {
  const clock = fakeClock()
  const { sent, state, transport } = slowTransport()
  const outbox = createOutbox(transport, clock)
  outbox.event(event)
  state.bufferedBytes = outboxLimits.maxBufferedBytes + 1
  for (let i = 0; i < 1000; i += 1) outbox.event(event)
  clock.advance(10_000)
  expect(sent).toEqual(['{"type":"X"}'])
  state.bufferedBytes = 0
  clock.advance(100)
  outbox.event(event)
  clock.advance(60_000)
  expect(sent).toEqual(['{"type":"X"}', refetch, '{"type":"X"}'])
})

test('a connection that stays behind for 30 s is dropped', () => {
  const clock = fakeClock()
  const { state, transport } = slowTransport()
  const outbox = createOutbox(transport, clock)
  state.bufferedBytes = outboxLimits.maxBufferedBytes + 1
  outbox.event(event)
  clock.advance(29_900)
  expect(state.isTerminated).toBe(false)
  clock.advance(100)
  expect(state.isTerminated).toBe(true)
})

test('who asks without ever reading is dropped', () => {
  const { state, transport } = slowTransport()
  const outbox = createOutbox(transport, fakeClock())
  state.bufferedBytes = outboxLimits.maxBufferedBytes * 2 + 1
  outbox.answer({ type: 'PONG' })
  expect(state.isTerminated).toBe(true)
})

const database = await testDatabase()
const given = createGiven(database)

test('a socket that stops reading costs the server a bounded amount, and gets one REFETCH when it reads again', async () => {
  const user = await given.user()
  // Time stands still: however long the events take here, the socket is not behind for so long that it is dropped.
  const clock = fakeClock()
  const { live, server, url } = await liveServer(database, { clock })
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const slow = await connect(url, user)
  const [serverEnd] = await accepted
  const quick = await connect(url, user)
  slow.socket.pause()
  const update = (progress: number) =>
    live.local({
      organizationId: user.organizationId,
      type: 'CLUSTER_PROVISIONING_UPDATE',
      message: 'x'.repeat(6_000),
      data: {
        clusterId: 1,
        status: 'PROVISIONING',
        error: null,
        workflowId: 'w',
        runId: 'r',
        stepName: null,
        progress,
      },
    })
  let mostBytes = 0
  let sent = 0
  // The kernel takes some megabytes; what counts are those that come after.
  for (let behind = 0; behind < 1_000; sent += 1) {
    update(sent)
    mostBytes = Math.max(mostBytes, serverEnd.writableLength)
    if (serverEnd.writableLength > outboxLimits.maxBufferedBytes) behind += 1
    else await new Promise((resolve) => setImmediate(resolve))
  }
  const oneEvent = 7_000
  expect(mostBytes).toBeLessThan(outboxLimits.maxBufferedBytes + oneEvent)
  expect(slow.isClosed()).toBe(false)
  slow.socket.resume()
  if (serverEnd.writableLength > 0) await once(serverEnd, 'drain')
  clock.advance(outboxLimits.checkPeriodMs)
  await slow.frame('REFETCH')
  expect(slow.frames.filter((frame) => frame.type === 'REFETCH')).toHaveLength(1)
  expect(slow.events('CLUSTER_PROVISIONING_UPDATE').length).toBeLessThan(sent)
  expect(quick.isClosed()).toBe(false)
  update(-1)
  await slow.until(() =>
    slow.events('CLUSTER_PROVISIONING_UPDATE').find(({ data }) => 'progress' in data && data.progress === -1),
  )
})
