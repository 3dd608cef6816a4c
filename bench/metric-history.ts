import { clusterMetrics } from '@bey/contract'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { openMetrics } from '../packages/server/src/platform/metrics/metrics.ts'
import { makePartitions } from '../packages/server/src/platform/metrics/partitions.ts'
import { fakeClock } from '../packages/server/src/testing/clock.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'

/** Nothing here reads a data source. */
export const noSources = { query: () => Promise.reject(new Error('There is no data source')) }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const workloads = 200

/** An organization with a cluster of 200 workloads, measured for the last 10 minutes, and 30 days of hours of them. */
export async function openMetricHistory(database: Database) {
  const log = createLog({ level: 'error', write: (line) => process.stderr.write(line) })
  const clock = fakeClock(new Date(Math.floor(Date.now() / hourMs) * hourMs))
  const metrics = await openMetrics({ database, clock, log })
  const { id, organizationId } = await createGiven(database).cluster()
  const entity = { type: 'cluster', id: String(id) }
  const samples = Array.from({ length: workloads }, (_, index) => {
    const labels = { namespace: `team-${index % 8}`, kind: 'Deployment', workload: `service-${index}` }
    return [
      { metric: clusterMetrics.cpuUsed, labels, value: index },
      { metric: clusterMetrics.memoryUsed, labels, value: index * 1e6 },
    ]
  }).flat()
  await metrics.write(organizationId, entity, clock.now(), samples)
  await database.asSystem('fill a benchmark', async (db) => {
    for (let days = 32; days > 0; days -= 1)
      await makePartitions(db, new Date(clock.now().getTime() - days * dayMs))
  })
  await database.ownerPool.query(
    `insert into metric_hours (organization_id, block, at, averages, maxima)
     select $1, b.block, $2::timestamptz - make_interval(hours => h), v.values, v.values
     from (select distinct block from metric_series where organization_id = $1) b, generate_series(1, 720) h,
       (select array(select (random() * 1000)::real from generate_series(1, 128)) as values) v`,
    [organizationId, clock.now()],
  )
  /** So many minutes of samples, every 15 s. */
  const measure = async (minutes: number) => {
    for (let round = 0; round < minutes * 4; round += 1) {
      clock.step(15_000)
      await metrics.write(organizationId, entity, clock.now(), samples)
    }
    await metrics.rollUp()
  }
  return { log, clock, metrics, organizationId, samplesPerRound: samples.length, measure }
}
