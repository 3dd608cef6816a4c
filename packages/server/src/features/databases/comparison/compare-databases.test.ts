import { databaseMetrics, type DatabaseStatus } from '@bey/contract'
import { expect, test } from 'vitest'

import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { backfill, type PastSeries } from '../../../platform/metrics/backfill.ts'
import { databases } from '../../../tables/databases.ts'
import { testApp } from '../../../testing/app.ts'

const app = await testApp()
const { given, database } = app
const viewer = await given.user({ role: 'VIEWER' })
const { organizationId } = viewer
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const weekMs = 7 * 24 * hourMs
const now = Date.now()
const thisMinute = Math.floor(now / minuteMs) * minuteMs
const thisHour = Math.floor(now / hourMs) * hourMs

/** A database without a server: only what was measured of it counts here. */
async function databaseOf(
  name: string,
  series: (atMs: number) => Record<string, number>,
  { weeks = 4, status = 'available' }: { weeks?: number; status?: DatabaseStatus } = {},
): Promise<string> {
  const id = uuidv7()
  await database.withTenant(organizationId, (db) =>
    db.insert(databases).values({
      id,
      organizationId,
      name,
      provider: 'external',
      status,
      databaseName: 'app',
      username: 'app',
      tls: 'disable',
      figures: figures(),
      checkAt: new Date(now + 24 * hourMs),
    }),
  )
  const past = Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 12 }, (_unused, hour) => thisHour - (week + 1) * weekMs + (hour - 10) * hourMs),
  ).flat()
  const recent = Array.from({ length: 90 }, (_, minute) => thisMinute - (90 - minute) * minuteMs)
  const moments = [...past, ...recent]
  const [first = {}] = moments.map(series)
  const written: PastSeries[] = Object.keys(first).map((metric) => ({
    metric: metric.split(' ')[0] ?? metric,
    ...(metric.includes(' ') && { labels: { wait: metric.split(' ')[1] ?? '' } }),
    values: moments.map((atMs) => series(atMs)[metric] ?? 0),
  }))
  const entity = { type: 'database' as const, id }
  await database.withTenant(organizationId, (db) =>
    backfill(db, { organizationId, entity, now: new Date(now) }, moments, written),
  )
  return id
}

const figures = () => ({
  at: new Date(now).toISOString(),
  sizeBytes: 1_000_000,
  sizeLimitBytes: 4_000_000,
  maxConnections: 100,
  connections: 24,
  active: 1,
  idle: 23,
  idleInTransaction: 0,
  waiting: 0,
  startedAt: new Date(now - weekMs).toISOString(),
  cacheHit: 0.98,
  transactionsPerSecond: 5,
  rollbacksPerSecond: 0,
  longestQueryMs: null,
  counters: { commits: 0, rollbacks: 0, hits: 0, reads: 0 },
})

const { load, statementP95, connections, replicationLag } = databaseMetrics
const quiet = {
  [`${load} cpu`]: 1.2,
  [`${load} io`]: 0.6,
  [`${load} lock`]: 0,
  [`${load} other`]: 0.2,
  [statementP95]: 20,
  [connections]: 24,
}
const leftAtMs = thisMinute - 18 * minuteMs
await databaseOf('billing', () => quiet)
await databaseOf('orders', (atMs) =>
  atMs >= leftAtMs ? { ...quiet, [`${load} lock`]: 8.8 } : { ...quiet, [replicationLag]: 200 },
)
await databaseOf('ledger', (atMs) => (atMs >= leftAtMs ? { ...quiet, [statementP95]: 31 } : quiet))
await databaseOf('young', () => ({ ...quiet, [`${load} cpu`]: 50 }), { weeks: 1 })
await databaseOf('legacy', () => quiet, { status: 'unreachable' })

const read = (query: Record<string, string> = {}, as = viewer) =>
  app.ask('GET', `/api/databases/metrics?${String(new URLSearchParams(query))}`, {
    token: as.token,
    organizationId: as.organizationId,
  })

test('databases outside of their usual come first, with since when, how far, and what they wait for', async () => {
  const { status, body, text } = await read()
  expect(status, text).toBe(200)
  expect(body.summary).toMatchObject({ total: 5, unreachable: 1, outside: 2 })
  expect(body.databases.map((each: { database: { name: string } }) => each.database.name)).toEqual([
    'orders',
    'ledger',
    'billing',
    'young',
    'legacy',
  ])
  const [orders, ledger, billing, young, legacy] = body.databases
  expect(orders.deviations).toMatchObject([
    { metric: 'load', median: 2, wait: 'lock', isSevere: true, since: new Date(leftAtMs).toISOString() },
  ])
  expect(orders.deviations[0].times).toBeCloseTo(5.4)
  expect(orders.now).toMatchObject({ load: 10.8, connections: 0.24, cacheHit: 0.98, disk: 0.25, p95Ms: 20 })
  expect(ledger.deviations).toMatchObject([
    { metric: 'latency', value: 31, median: 20, isSevere: false, wait: null },
  ])
  expect([billing.deviations, billing.isOverdue]).toEqual([[], false])
  expect([billing.measuredWeeks, young.measuredWeeks]).toEqual([4, 1])
  expect([young.usual, young.deviations]).toEqual([null, []])
  expect(legacy.now).toMatchObject({ load: null, p95Ms: null, connections: null })
})

test('the line of a range stands in its band, one value a step, for each metric that is measured', async () => {
  const { body } = await read({ metric: 'load', range: '3600', search: 'orders' })
  const [orders] = body.databases
  expect(body).toMatchObject({ stepMs: minuteMs, steps: 61, total: 1 })
  expect(orders.values).toHaveLength(61)
  expect(orders.values[10]).toBe(2)
  expect(orders.values[58]).toBe(10.8)
  expect([orders.usual.low[10], orders.usual.high[10]]).toEqual([2, 2])
  const lag = (await read({ metric: 'lag', range: '3600', search: 'orders' })).body.databases[0]
  expect(lag.values[10]).toBe(200)
  const wal = (await read({ metric: 'wal', search: 'orders' })).body.databases[0]
  expect(wal.values.every((value: number | null) => value === null)).toBe(true)
  expect((await read({ metric: 'load', range: '2592000' })).body.steps).toBeLessThanOrEqual(200)
})

test('another organization sees none of it, and a metric or range that does not exist is refused', async () => {
  const stranger = await given.user({ role: 'VIEWER' })
  expect((await read({}, stranger)).body).toMatchObject({ databases: [], total: 0, summary: { outside: 0 } })
  expect((await read({ metric: 'mood' })).status).toBe(400)
  expect((await read({ range: '5' })).status).toBe(400)
  expect((await read({ range: String(32 * 86_400) })).status).toBe(400)
})
