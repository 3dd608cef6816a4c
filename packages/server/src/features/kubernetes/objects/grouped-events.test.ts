import { expect, test } from 'vitest'
import type { EventEntry } from '../watch/entries.ts'
import { groupEvents } from './grouped-events.ts'

const nowMs = Date.parse('2026-01-01T12:00:00.000Z')
const event = (part: Partial<EventEntry>): EventEntry => ({
  uid: part.name ?? 'e',
  name: 'e',
  namespace: 'shop',
  createdAt: null,
  type: 'Normal',
  reason: 'Pulled',
  message: 'm',
  object: 'Pod/web-1',
  count: 1,
  firstSeenAt: '2026-01-01T11:59:30.000Z',
  lastSeenAt: '2026-01-01T11:59:30.000Z',
  ...part,
})

test('events of one reason are one group, and warnings come before what is newer', () => {
  const groups = groupEvents(
    [
      event({ name: 'a' }),
      event({
        name: 'b',
        type: 'Warning',
        reason: 'BackOff',
        count: 3,
        lastSeenAt: '2026-01-01T11:30:00.000Z',
        firstSeenAt: '2026-01-01T11:10:00.000Z',
      }),
      event({ name: 'c', type: 'Warning', reason: 'BackOff', object: 'Pod/web-2' }),
    ],
    nowMs,
  )
  expect(groups).toMatchObject([
    {
      reason: 'BackOff',
      count: 4,
      objects: 2,
      firstSeenAt: '2026-01-01T11:10:00.000Z',
      lastSeenAt: '2026-01-01T11:59:30.000Z',
      events: [{ uid: 'c' }, { uid: 'b' }],
    },
    { reason: 'Pulled', count: 1, objects: 1 },
  ])
})

test('what is repeated is spread between its first and last time, and nothing before the hour is counted in it', () => {
  const spans = (part: Partial<EventEntry>) => groupEvents([event(part)], nowMs)[0]?.spans ?? []
  const sum = (values: readonly number[]) => Math.round(values.reduce((total, value) => total + value, 0))
  expect(spans({}).at(-1)).toBe(1)
  const within = spans({ count: 62, firstSeenAt: '2026-01-01T11:00:30.000Z' })
  expect(sum(within)).toBe(62)
  expect(within.every((value) => value > 0)).toBe(true)
  expect(sum(spans({ count: 62, firstSeenAt: '2026-01-01T10:00:30.000Z' }))).toBe(31)
  expect(sum(spans({ firstSeenAt: null, lastSeenAt: '2026-01-01T09:00:00.000Z' }))).toBe(0)
  // A clock that is ahead.
  expect(spans({ lastSeenAt: '2026-01-01T12:00:09.000Z' }).at(-1)).toBe(1)
})
