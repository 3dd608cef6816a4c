import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterMetrics } from '@bey/contract'
import { openDatabase } from '../packages/server/src/platform/db/database.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { openMetrics, type Sample } from '../packages/server/src/platform/metrics/metrics.ts'
import { steps } from '../packages/server/src/platform/metrics/steps.ts'
import { fakeClock } from '../packages/server/src/testing/clock.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { median } from './process-figures.ts'
import { report } from './figure.ts'

const nodeCount = 1_000
const workloadCount = 1_500
const podCount = 10_000
const minutes = 5
const hourMs = 3_600_000
const mebibyte = 2 ** 20

/** A cluster of 10,000 pods: what a round of samples, its roll-up and its reading cost, and what is kept of a day. */
export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bey-bench-'))
  const log = createLog({ level: 'error', write: (line) => process.stderr.write(line) })
  const database = await openDatabase({ dataDir }, log)
  try {
    const clock = fakeClock(new Date(Math.floor(Date.now() / hourMs) * hourMs))
    const metrics = await openMetrics({ database, clock, log })
    const { id, organizationId } = await createGiven(database).cluster()
    const entity = { type: 'cluster', id: String(id) }
    const samples = samplesOf()
    const write = () => metrics.write(organizationId, entity, clock.now(), samples)
    const firstMs = await timed(write)
    const writes: number[] = []
    const rollUps: number[] = []
    for (let minute = 0; minute < minutes; minute += 1) {
      for (let round = 0; round < 4; round += 1) {
        clock.step(steps.sample.stepMs)
        writes.push(await timed(write))
      }
      rollUps.push(await timed(() => metrics.rollUp()))
    }
    const writeMs = median(writes)
    const rollUpMs = median(rollUps.slice(2))
    const bytes = async (table: string) => {
      const { rows } = await database.ownerPool.query<{ bytes: string; count: number }>(
        `select sum(pg_total_relation_size(i.inhrelid))::bigint as bytes,
           (select count(distinct at)::int from ${table}) as count
         from pg_inherits i where i.inhparent = '${table}'::regclass`,
      )
      return Number(rows[0]?.bytes ?? 0) / (rows[0]?.count || 1)
    }
    const sampleBytes = await bytes('metric_samples')
    const minuteBytes = await bytes('metric_minutes')
    await fillDay(database, organizationId, clock.now())
    const range = {
      fromMs: clock.now().getTime() - 24 * hourMs,
      toMs: clock.now().getTime(),
      stepMs: 600_000,
    }
    const whole = Object.values(clusterMetrics)
      .slice(0, 4)
      .map((metric) => ({ entity, metric }))
    const pod = [{ entity, metric: clusterMetrics.cpuUsed, labels: { namespace: 'shop', pod: 'pod-77' } }]
    const many = Array.from({ length: 100 }, (_, index) => ({
      entity,
      metric: clusterMetrics.cpuUsed,
      labels: { namespace: 'shop', pod: `pod-${index}` },
    }))
    const bareMs = await best(() => database.readTenant(organizationId, (db) => db.execute('select 1')))
    const read = (asked: typeof pod) => best(() => metrics.read(organizationId, asked, range))
    const [wholeMs, podMs, manyMs] = [await read(whole as typeof pod), await read(pod), await read(many)]
    report({ name: 'series', value: samples.length, unit: '', detail: `of which pods ${2 * podCount}` })
    report({ name: 'first round, with new series', value: firstMs, unit: 'ms' })
    const ofRound = `${share(writeMs, steps.sample.stepMs)} of its 15 s`
    report({ name: 'a round', value: writeMs, unit: 'ms', detail: ofRound })
    const ofMinute = `${share(rollUpMs, steps.minute.stepMs)} of its minute`
    report({ name: 'roll-up of a minute', value: rollUpMs, unit: 'ms', detail: ofMinute })
    const against = (ms: number) => `${(ms / bareMs).toFixed(1)} × a bare query`
    report({ name: '24 h of 4 series of the cluster', value: wholeMs, unit: 'ms', detail: against(wholeMs) })
    report({ name: '24 h of one pod', value: podMs, unit: 'ms', detail: against(podMs) })
    const ofOne = `${(manyMs / podMs).toFixed(1)} × one pod`
    report({ name: '24 h of 100 pods', value: manyMs, unit: 'ms', detail: ofOne })
    report({
      name: 'kept of 2 h in samples',
      value: (sampleBytes * 480) / mebibyte,
      unit: 'MB',
      detail: `${(sampleBytes / samples.length).toFixed(1)} bytes a value`,
    })
    report({
      name: 'kept of a day in minutes',
      value: (minuteBytes * 1440) / mebibyte,
      unit: 'MB',
      detail: `${(minuteBytes / samples.length).toFixed(1)} bytes a series and minute`,
    })
    await metrics.stop()
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const share = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`

function samplesOf(): Sample[] {
  const samples: Sample[] = []
  const {
    cpuUsed,
    memoryUsed,
    cpuRequested,
    memoryRequested,
    cpuAllocatable,
    memoryAllocatable,
    cpuLimit,
    memoryLimit,
  } = clusterMetrics
  const add = (metric: string, labels?: Record<string, string>, span?: 'days') =>
    samples.push({ metric, value: Math.random() * 1e9, ...(labels && { labels }), ...(span && { span }) })
  for (const metric of Object.values(clusterMetrics)) add(metric)
  const ofNode = [cpuUsed, memoryUsed, cpuRequested, memoryRequested, cpuAllocatable, memoryAllocatable]
  for (let index = 0; index < nodeCount; index += 1) {
    for (const metric of ofNode) add(metric, { node: `node-${index}` })
  }
  for (let index = 0; index < workloadCount; index += 1) {
    const labels = { namespace: 'shop', kind: 'Deployment', workload: `web-${index}` }
    for (const metric of [cpuUsed, memoryUsed, cpuRequested, memoryRequested, cpuLimit, memoryLimit])
      add(metric, labels)
  }
  for (let index = 0; index < podCount; index += 1) {
    const labels = { namespace: 'shop', pod: `pod-${index}` }
    for (const metric of [cpuUsed, memoryUsed]) add(metric, labels, 'days')
  }
  return samples
}

/** Copies the last minute into every minute of the day before it, so that a day can be read. */
async function fillDay(
  database: Awaited<ReturnType<typeof openDatabase>>,
  organizationId: number,
  now: Date,
): Promise<void> {
  await database.ownerPool.query(
    `insert into metric_minutes (organization_id, block, at, averages, maxima)
     select m.organization_id, m.block, t.at, m.averages, m.maxima
     from (select * from metric_minutes where organization_id = $1
             and at = (select max(at) from metric_minutes where organization_id = $1)) m
     cross join generate_series($2::timestamptz - interval '24 h', $2::timestamptz - interval '10 min',
       interval '1 min') t (at)
     on conflict do nothing`,
    [organizationId, now],
  )
  await database.ownerPool.query('analyze metric_minutes')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function best(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < 9; index += 1) times.push(await timed(work))
  return median(times)
}
