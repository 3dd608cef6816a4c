import { clusterMetrics } from '@bey/contract'
import { expect, test } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { countApiCalls } from '../../../platform/usage/api-calls.ts'
import { openMetrics, type Sample } from '../../../platform/metrics/metrics.ts'
import { testApp } from '../../../testing/app.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { stepAttempts } from '../../../tables/step-attempts.ts'
import { eq } from 'drizzle-orm'
import { meterCluster, type MeteredCluster, nodeType } from './clusters.ts'
import { meterDatabase } from './databases.ts'
import { gapsOf, hoursByQuarter, minuteMs, quarterMs, saveMark } from './quarters.ts'
import { listGaps } from '../ledger/store.ts'
import { meterRuns } from './runs.ts'

const app = await testApp()
const { given, database } = app
const metrics = await openMetrics({ database, clock: realClock, log: createLog({ level: 'silent' }) })

const gib = 2 ** 30
/** A quarter of an hour that is over, and of which minutes are kept. */
const fromMs = Math.floor((Date.now() - 75 * minuteMs) / quarterMs) * quarterMs
const nowMs = fromMs + quarterMs + 3 * minuteMs

const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

/** Gives an entity minutes of the quarter, each with the same values. */
async function measured(
  organizationId: number,
  entity: { type: string; id: string },
  samples: Sample[],
  minutes: number[],
): Promise<void> {
  await metrics.write(organizationId, entity, new Date(), samples)
  const { rows } = await database.ownerPool.query<{
    block: number
    slot: number
    metric: string
    labels: object
  }>(
    `select block, slot, metric, labels from metric_series where organization_id = $1 and entity_type = $2 and entity_id = $3`,
    [organizationId, entity.type, entity.id],
  )
  const textOf = (labels: object) => JSON.stringify(Object.entries(labels).toSorted(byKey))
  const values: (number | null)[] = []
  for (const { slot, metric, labels } of rows) {
    const key = textOf(labels)
    const found = samples.find((each) => each.metric === metric && textOf(each.labels ?? {}) === key)
    values[slot - 1] = found?.value ?? null
  }
  const readings = Array.from(values, (value) => value ?? null)
  for (const minute of minutes) {
    await database.ownerPool.query(
      `insert into metric_minutes (organization_id, block, at, averages, maxima) values ($1, $2, $3, $4, $4)`,
      [organizationId, rows[0]?.block, new Date(fromMs + minute * minuteMs), readings],
    )
  }
}

async function eventsOf(organizationId: number) {
  const { rows } = await database.ownerPool.query<{
    meter: string
    value: string
    workload: string | null
    node_type: string | null
  }>(
    `select e.meter, e.value, s.workload, s.node_type from usage_events e join usage_subjects s on s.id = e.subject_id
     where e.organization_id = $1 order by e.meter`,
    [organizationId],
  )
  return rows.map(({ meter, value, workload, node_type }) => [meter, Number(value), workload ?? node_type])
}

test('a quarter of an hour of a cluster is metered once, and minutes without samples are a gap', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { organizationId } = user
  const cluster = await given.cluster({ organizationId, title: 'prod-eu' })
  const node = { node: 'w1' }
  const web = { namespace: 'shop', kind: 'Deployment', workload: 'web' }
  // Five of the fifteen minutes have no samples.
  await measured(
    organizationId,
    { type: 'cluster', id: String(cluster.id) },
    [
      { metric: clusterMetrics.nodes, value: 1 },
      { metric: clusterMetrics.cpuAllocatable, labels: node, value: 3_900 },
      { metric: clusterMetrics.memoryAllocatable, labels: node, value: 15.5 * gib },
      { metric: clusterMetrics.cpuRequested, labels: web, value: 1_200 },
      { metric: clusterMetrics.cpuUsed, labels: web, value: 300 },
      { metric: clusterMetrics.memoryRequested, labels: web, value: 6 * gib },
    ],
    [0, 1, 2, 3, 4, 10, 11, 12, 13, 14],
  )
  const metered: MeteredCluster = {
    id: cluster.id,
    organizationId,
    name: 'prod-eu',
    provider: 'sandbox',
    region: null,
    labels: {},
    createdAtMs: fromMs,
    deletedAtMs: null,
  }
  expect(await meterCluster({ database, metrics }, metered, nowMs)).toBe(true)
  const sixth = 10 / 60
  const events = await eventsOf(organizationId)
  expect(events.map(([meter, , thing]) => [meter, thing])).toEqual([
    ['cpu_capacity', '4x16'],
    ['cpu_requested', 'Deployment/web'],
    ['cpu_used', 'Deployment/web'],
    ['memory_capacity', '4x16'],
    ['memory_requested', 'Deployment/web'],
    ['node_hours', '4x16'],
  ])
  const values = [3.9, 1.2, 0.3, 15.5, 6, 1].map((value) => value * sixth)
  events.forEach(([, value], index) => expect(value).toBeCloseTo(values[index] ?? 0, 5))
  // The mark says that it is done; without it, as after a crash, the ids do.
  expect(await meterCluster({ database, metrics }, metered, nowMs)).toBe(false)
  await database.ownerPool.query('delete from usage_marks where organization_id = $1', [organizationId])
  expect(await meterCluster({ database, metrics }, metered, nowMs)).toBe(true)
  expect(await eventsOf(organizationId)).toHaveLength(6)
  const { token } = user
  const month = new Date(fromMs).toISOString().slice(0, 7)
  const spend = await app.ask('GET', `/api/billing/spend?month=${month}`, { token, organizationId })
  expect(spend.body.gaps).toMatchObject([
    {
      name: 'prod-eu',
      from: new Date(fromMs + 5 * minuteMs).toISOString(),
      to: new Date(fromMs + 10 * minuteMs).toISOString(),
    },
  ])
  expect(spend.body.gaps[0].text).toMatch(/^No samples of prod-eu from .* to .*: this time is not metered\.$/)
})

test('a database is metered by the GB that it holds', async () => {
  const { organizationId } = await given.user({ role: 'OWNER' })
  const id = '01890000-0000-7000-8000-000000000001'
  await measured(organizationId, { type: 'database', id }, [{ metric: 'size_bytes', value: 4e9 }], [0, 1, 2])
  const of = { id, organizationId, name: 'orders', provider: 'embedded', cluster: null, createdAtMs: fromMs }
  expect(await meterDatabase({ database, metrics }, of, nowMs)).toBe(true)
  const [event] = await eventsOf(organizationId)
  expect(event?.[0]).toBe('database_gb_hours')
  expect(event?.[1]).toBeCloseTo((4 * 3) / 60, 6)
})

test('after a long standstill the time that is too old to be metered is listed as a gap', async () => {
  const { organizationId } = await given.user({ role: 'OWNER' })
  const id = '01890000-0000-7000-8000-000000000002'
  const stoppedMs = fromMs - 60 * 60 * minuteMs
  await database.withTenant(organizationId, (db) =>
    saveMark(db, organizationId, { type: 'database', id, name: 'orders' }, stoppedMs, []),
  )
  const of = { id, organizationId, name: 'orders', provider: 'embedded', cluster: null, createdAtMs: 0 }
  expect(await meterDatabase({ database, metrics }, of, nowMs)).toBe(true)
  const gaps = await database.readTenant(organizationId, (db) =>
    listGaps(db, organizationId, stoppedMs - minuteMs, nowMs),
  )
  expect(gaps).toMatchObject([{ name: 'orders', fromMs: stoppedMs }])
  expect(gaps[0]?.toMs).toBeLessThanOrEqual(nowMs - 47 * 60 * minuteMs)
})

test('a run is metered when it has ended, with the time of its steps and its log, and once', async () => {
  const { organizationId } = await given.user({ role: 'OWNER' })
  const step = await given.step({ organizationId })
  await given.logs(step, ['x'.repeat(5_000), 'y'.repeat(5_000)])
  const endedAt = new Date(Date.now() - 60_000)
  const startedAt = new Date(endedAt.getTime() - 30_000)
  await database.withTenant(organizationId, async (db) => {
    await db.insert(stepAttempts).values({
      organizationId,
      runId: step.runId,
      stepRunId: step.id,
      attempt: 1,
      status: 'succeeded',
      executorId: 'x',
      startedAt,
      finishedAt: endedAt,
    })
    await db
      .update(workflowRuns)
      .set({ status: 'completed', startedAt, finishedAt: endedAt })
      .where(eq(workflowRuns.id, step.runId))
  })
  const since = new Date(Date.now() - 3_600_000)
  await meterRuns({ database }, since)
  await meterRuns({ database }, since)
  expect(await eventsOf(organizationId)).toEqual([
    ['log_gb', 0.00001, null],
    ['runs', 1, null],
    ['step_seconds', 30, null],
  ])
})

test('API calls are added up for each person, and what could not be written is written later, once', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { organizationId } = user
  let isUp = false
  const calls = countApiCalls({
    database: { withTenant: database.withTenant, isUp: () => isUp },
    clock: realClock,
    log: createLog({ level: 'silent' }),
  })
  for (let call = 0; call < 3; call += 1) calls.count(organizationId, { id: user.id, name: 'Ada' })
  await calls.flush()
  expect(await eventsOf(organizationId)).toEqual([])
  isUp = true
  calls.count(organizationId, { id: user.id, name: 'Ada' })
  await calls.flush()
  await calls.stop()
  const events = await eventsOf(organizationId)
  expect(
    events.map(([meter, value]) => [meter, value]).toSorted((a, b) => Number(a[1]) - Number(b[1])),
  ).toEqual([
    ['api_calls', 1],
    ['api_calls', 3],
  ])
})

test('gaps begin with the second missing minute, and hours count measured minutes only', () => {
  const minutes = [1, null, 1, null, null, 1]
  expect(gapsOf(minutes, 0, 0)).toEqual([{ fromMs: 3 * minuteMs, toMs: 5 * minuteMs }])
  expect(gapsOf([null, null, null], 0, 2 * minuteMs)).toEqual([])
  expect(hoursByQuarter([60, null, 60])).toEqual([2])
  expect(nodeType({ cores: 15.9, gib: 61.3 })).toBe('16x62')
})
