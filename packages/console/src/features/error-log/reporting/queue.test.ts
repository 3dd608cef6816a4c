import type { ErrorEntry } from '@bey/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { realClockOf } from './clock.ts'
import type { Batch, Report } from './queue.ts'
import { createErrorQueue } from './queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp() {
  const state = { token: true, isDown: false, isRefusing: false, changes: 0, keys: 0 }
  const sent: Batch[] = []
  const queue = createErrorQueue({
    clock: realClockOf(),
    send: (batch) => {
      sent.push(batch)
      if (state.isDown) return Promise.reject(new Error('down'))
      if (state.isRefusing) return Promise.reject(new TypeError('refused'))
      return Promise.resolve(batch.entries.map((_, index) => `id-${index}`))
    },
    hasToken: () => state.token,
    isTransient: (error) => !(error instanceof TypeError),
    newKey: () => `key-${(state.keys += 1)}`,
    onChange: () => (state.changes += 1),
  })
  const report = (message: string, organizationId: number | null = 1): Report => {
    const entry: ErrorEntry = { message, timestamp: '2026-11-21T12:00:00.000Z' }
    return { entry, key: message, organizationId: organizationId ?? undefined, phase: 'waiting', repeats: 0 }
  }
  const add = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => queue.add(report(`error ${from + index}`)))
  const messages = (batch: Batch | undefined) => batch?.entries.map((entry) => entry.message)
  return { state, sent, queue, report, add, messages }
}

const after = (delayMs: number) => vi.advanceTimersByTimeAsync(delayMs)

test('a batch is sent 5 s after its first error', async () => {
  const { add, sent, messages } = setUp()
  const [first] = add(1)
  await after(3_000)
  add(1, 1)
  await after(1_999)
  expect(sent).toHaveLength(0)
  await after(1)
  expect(sent.map(messages)).toEqual([['error 0', 'error 1']])
  expect(first).toMatchObject({ phase: 'sent', errorId: 'id-0' })
})

test('ten errors are sent at once, and the eleventh waits its 5 s', async () => {
  const { add, sent } = setUp()
  add(11)
  await after(0)
  expect(sent.map((batch) => batch.entries.length)).toEqual([10])
  await after(5_000)
  expect(sent.map((batch) => batch.entries.length)).toEqual([10, 1])
})

test('a batch that fails is tried again after 1, 2 and 4 s under one key, then waits for the next error', async () => {
  const { add, sent, state, messages } = setUp()
  state.isDown = true
  const [first] = add(1)
  await after(5_000)
  expect(first?.phase).toBe('delayed')
  const counts = []
  for (const waitMs of [999, 1, 1_999, 1, 3_999, 1, 60_000]) {
    await after(waitMs)
    counts.push(sent.length)
  }
  expect(counts).toEqual([1, 2, 2, 3, 3, 4, 4])
  expect(new Set(sent.map((batch) => batch.idempotencyKey)).size).toBe(1)
  state.isDown = false
  add(1, 1)
  await after(5_000)
  expect(messages(sent.at(-1))).toEqual(['error 0', 'error 1'])
  expect(first?.phase).toBe('sent')
})

test('after a failure at most twenty errors wait, the first ones', async () => {
  const { add, sent, state, messages } = setUp()
  state.isDown = true
  const reports = add(10)
  await after(0)
  reports.push(...add(25, 10))
  await after(7_000)
  expect(reports.filter((report) => report.phase === 'refused')).toHaveLength(15)
  state.isDown = false
  add(1, 99)
  await after(0)
  expect(sent.slice(-2).map((batch) => messages(batch)?.[0])).toEqual(['error 0', 'error 10'])
  expect(sent.slice(-2).flatMap((batch) => batch.entries)).toHaveLength(20)
})

test('without a token nothing is sent', async () => {
  const { add, sent, state } = setUp()
  state.token = false
  const [report] = add(1)
  await after(5_000)
  expect(sent).toHaveLength(0)
  expect(report?.phase).toBe('skipped')
})

test('what the server refuses is not sent again', async () => {
  const { add, sent, state } = setUp()
  state.isRefusing = true
  const [report] = add(1)
  await after(60_000)
  expect(sent).toHaveLength(1)
  expect(report?.phase).toBe('refused')
})

test('the same error in a loop is one entry that says how often', async () => {
  const { queue, report, sent } = setUp()
  for (let count = 0; count < 1_000; count += 1) queue.add(report('loop'))
  await after(5_000)
  expect(sent.map((batch) => batch.entries.length)).toEqual([1])
  expect(sent[0]?.entries[0]?.additionalContext).toEqual({ repeats: 999 })
})

test('an urgent error goes at once with what waits, but a loop of them does not', async () => {
  const { queue, add, report, sent } = setUp()
  add(1)
  queue.add(report('urgent'), true)
  await after(0)
  expect(sent.map((batch) => batch.entries.length)).toEqual([2])
  for (let count = 0; count < 50; count += 1) {
    queue.add(report('urgent'), true)
    await after(10)
  }
  expect(sent).toHaveLength(1)
  await after(5_000)
  expect(sent).toHaveLength(2)
})

test('a page that is left sends what waits, also what waits to be tried again', async () => {
  const { queue, add, sent, state } = setUp()
  state.isDown = true
  add(1)
  await after(5_000)
  state.isDown = false
  queue.flush()
  await after(0)
  expect(sent).toHaveLength(2)
})

test('errors go to the organization in which they were met', async () => {
  const { queue, report, sent } = setUp()
  queue.add(report('here', 1))
  queue.add(report('there', 2))
  queue.add(report('nowhere', null))
  await after(20_000)
  expect(sent.map((batch) => [batch.organizationId, batch.entries.length])).toEqual([
    [1, 1],
    [2, 1],
  ])
})

test('what somebody met who has logged out is not sent by the next', async () => {
  const { queue, add, sent } = setUp()
  const [report] = add(1)
  queue.drop()
  await after(60_000)
  expect(sent).toHaveLength(0)
  expect(report?.phase).toBe('skipped')
})
