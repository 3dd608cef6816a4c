import type { Database } from '../packages/server/src/platform/db/database.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { openMetrics } from '../packages/server/src/platform/metrics/metrics.ts'
import { makePartitions } from '../packages/server/src/platform/metrics/partitions.ts'
import { type Step, steps } from '../packages/server/src/platform/metrics/steps.ts'
import { fakeClock } from '../packages/server/src/testing/clock.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { report } from './figure.ts'
import { withDatabase } from './with-database.ts'

const seriesCount = 10_000
/** Measured through the writer and its roll-up; what is kept of the rest of the day has the same shape. */
const minutes = 20
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const mebibyte = 2 ** 20

/**
 * What 10,000 series take in a year: bytes that a value takes in each table are measured on series with the curve of a day,
 * and multiplied by how long the tables keep their steps. The year itself is computed, not measured.
 */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const log = createLog({ level: 'error', write: (line) => process.stderr.write(line) })
    const clock = fakeClock(new Date(Math.floor(Date.now() / hourMs) * hourMs))
    const metrics = await openMetrics({ database, clock, log })
    const { id, organizationId } = await createGiven(database).cluster()
    const entity = { type: 'cluster', id: String(id) }
    for (let round = 0; round < minutes * 4; round += 1) {
      clock.step(steps.sample.stepMs)
      const now = clock.now()
      await metrics.write(organizationId, entity, now, valuesAt(now.getTime()))
      if (round % 4 === 3) await metrics.rollUp()
    }
    await fillHours(database, organizationId, clock.now())
    let total = 0
    for (const step of ['sample', 'minute', 'hour'] as const) {
      const bytes = await bytesOf(database, step)
      const { keptMs, partitionMs, stepMs } = steps[step]
      // A partition is dropped as a whole, once its last point has run out.
      const kept = (bytes * seriesCount * (keptMs + partitionMs)) / stepMs
      total += kept
      report({
        name: `a ${step} of a series`,
        value: bytes,
        unit: '',
        detail: `bytes measured; ${(kept / mebibyte).toFixed(0)} MB computed for ${(keptMs + partitionMs) / hourMs} h`,
      })
    }
    report({
      name: 'a year of 10,000 series, computed',
      value: total / mebibyte,
      unit: 'MB',
      goal: 10 * 1024,
      detail: 'bytes measured in each table × the steps that it keeps',
    })
    await metrics.stop()
  })
}

/** The curve of a day with what is different in each series, and noise. */
function valuesAt(atMs: number) {
  const day = Math.sin((atMs / dayMs) * 2 * Math.PI)
  return Array.from({ length: seriesCount }, (_, index) => ({
    metric: `bench_${index % 10}`,
    labels: { namespace: `team-${index % 20}`, kind: 'Deployment', workload: `service-${index}` },
    value: 1e6 * (1 + (index % 97)) * (2 + day + 0.1 * Math.random()),
  }))
}

/** Copies the last minute into the hours of a day, each with another factor. */
async function fillHours(database: Database, organizationId: number, now: Date): Promise<void> {
  await database.asSystem('fill a benchmark', async (db) => {
    for (let days = 2; days >= 0; days -= 1) await makePartitions(db, new Date(now.getTime() - days * dayMs))
  })
  await database.ownerPool.query(
    `insert into metric_hours (organization_id, block, at, averages, maxima)
     select m.organization_id, m.block, t.at,
       array(select v * (1 + extract(hour from t.at)::real / 24) from unnest(m.averages) with ordinality u (v, n) order by n)::real[],
       array(select v * (1 + extract(hour from t.at)::real / 20) from unnest(m.maxima) with ordinality u (v, n) order by n)::real[]
     from (select * from metric_minutes where organization_id = $1
             and at = (select max(at) from metric_minutes where organization_id = $1)) m
     cross join generate_series($2::timestamptz - interval '24 h', $2::timestamptz - interval '1 h', interval '1 h') t (at)
     on conflict do nothing`,
    [organizationId, new Date(Math.floor(now.getTime() / hourMs) * hourMs)],
  )
}

/** Bytes that a value of one series takes, with indexes and what is out of line. */
async function bytesOf(database: Database, step: Step): Promise<number> {
  const { table } = steps[step]
  const { rows } = await database.ownerPool.query<{ bytes: string; count: number }>(
    `select sum(pg_total_relation_size(i.inhrelid)) filter (where pg_relation_size(i.inhrelid) > 0)::bigint as bytes,
       (select count(distinct at)::int from ${table}) as count
     from pg_inherits i where i.inhparent = '${table}'::regclass`,
  )
  return Number(rows[0]?.bytes ?? 0) / (rows[0]?.count || 1) / seriesCount
}
