import type { ComparedDatabase } from '@bey/contract'
import { expect, test } from 'vitest'
import { departureOf, namesText, reasonOf } from './comparison-text.ts'

const minuteMs = 60_000
const at = Date.UTC(2026, 10, 22, 14, 8)

type Deviation = ComparedDatabase['deviations'][number]
const deviation = (more: Partial<Deviation> = {}): Deviation => ({
  metric: 'load',
  value: 11.2,
  median: 2.4,
  times: 4.67,
  isSevere: true,
  since: new Date(at).toISOString(),
  wait: 'lock',
  ...more,
})

// Only what the functions look at.
const row = (name: string, more: object = {}, database: object = {}) =>
  ({
    database: {
      name,
      status: 'available',
      engine: 'postgres',
      figures: null,
      health: { state: 'healthy', detail: null },
      ...database,
    },
    values: [1],
    usual: { low: [0], high: [2] },
    deviations: [],
    daysUntilFull: null,
    isOverdue: false,
    ...more,
  }) as unknown as ComparedDatabase

test.each([
  ['out of its usual', row('a', { deviations: [deviation()] }), 'load 4.7 × its usual: locks', 'warn'],
  [
    'where nothing is usual',
    row('a', { deviations: [deviation({ times: null, wait: null })] }),
    /^unusual load since /,
    'warn',
  ],
  [
    'slow',
    row('a', { deviations: [deviation({ metric: 'latency', times: 20.4, wait: null })] }),
    'latency 20 × its usual',
    'warn',
  ],
  ['soon full', row('a', { daysUntilFull: 4 }), 'disk full in 4 days', 'warn'],
  ['full some time', row('a', { daysUntilFull: 60 }), 'as usual', 'usual'],
  ['young', row('a', { usual: null }), 'usual known after two weeks', 'usual'],
  ['of another engine', row('a', { values: [null] }, { engine: 'redis' }), 'not measured of Redis', 'usual'],
  [
    'unreachable',
    row(
      'a',
      {},
      { status: 'unreachable', health: { state: 'failing' }, figures: { at: new Date(at).toISOString() } },
    ),
    /^no data since /,
    'danger',
  ],
  [
    'not measured any more',
    row('a', { isOverdue: true }, { figures: { at: new Date(at).toISOString() } }),
    /^no data since /,
    'warn',
  ],
  ['hibernated', row('a', {}, { status: 'hibernated' }), 'hibernated', 'usual'],
])('a database that is %s says so', (_what, given, text, tone) => {
  const reason = reasonOf(given)
  expect(reason.text).toMatch(text)
  expect(reason.tone).toBe(tone)
})

test('databases that left their band together are named with what changed at most 15 minutes before', () => {
  const later = new Date(at + minuteMs).toISOString()
  const rows = [
    row('orders', { deviations: [deviation()] }),
    row('ledger', { deviations: [deviation({ since: later })] }),
    row('mail', { deviations: [deviation({ since: new Date(at + 40 * minuteMs).toISOString() })] }),
    row('billing'),
  ]
  const deploy = { at: at - 4 * minuteMs, text: 'Deployment shop updated', href: '/x' }
  const old = { ...deploy, at: at - 16 * minuteMs, text: 'old' }
  expect(departureOf(rows, [old, deploy])).toMatchObject({
    names: ['ledger', 'orders'],
    since: new Date(at).toISOString(),
    after: { minutes: 4, text: 'Deployment shop updated' },
  })
  expect(departureOf(rows, [old])?.after).toBeUndefined()
  expect(departureOf([row('billing')], [deploy])).toBeUndefined()
  expect(namesText(['a', 'b', 'c', 'd'])).toBe('a, b and 2 others')
})
