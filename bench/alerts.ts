import { clusterMetrics } from '@bey/contract'
import { uuidv7 } from '../packages/server/src/platform/crypto/uuid.ts'
import { insertAlert } from '../packages/server/src/features/alerts/store.ts'
import { evaluateAlerts } from '../packages/server/src/features/alerts/watch.ts'
import { createMetricQueries } from '../packages/server/src/features/metrics/query.ts'
import { parsePromql } from '../packages/server/src/platform/metrics/promql/parse.ts'
import { report } from './figure.ts'
import { noSources, openMetricHistory } from './metric-history.ts'
import { cpuMs, postgresCpuMs } from './process-figures.ts'
import { withDatabase } from './with-database.ts'

const rules = 1_000
/** Alerts are evaluated every 30 s. */
const roundsPerMinute = 2
const minutes = 3

/** What 1,000 alerts over 200 workloads cost of a core, the server and PostgreSQL together. */
export async function run(): Promise<void> {
  await withDatabase(async (database, dataDir) => {
    const { log, clock, metrics, organizationId, measure } = await openMetricHistory(database)
    const { query, together } = createMetricQueries({
      database,
      clock,
      points: metrics.points,
      sources: noSources,
    })
    const ids = Array.from({ length: rules }, () => uuidv7())
    await database.withTenant(organizationId, async (db) => {
      for (const [index, id] of ids.entries()) {
        await insertAlert(db, {
          id,
          organizationId,
          name: `alert ${index}`,
          expr: expressionOf(index),
          condition: { kind: 'threshold', direction: 'above', limit: 1e12 },
          forMs: 60_000,
          severity: 'warning',
          audience: 'admins',
        })
      }
    })
    const parts = {
      database,
      clock,
      log,
      query,
      together,
      parse: parsePromql,
      notify: async () => undefined as never,
      matches: () => () => Promise.reject(new Error('No alert reads the inventory')),
    }
    await measure(10)
    await evaluateAlerts(parts, organizationId, ids)
    let spentMs = 0
    for (let round = 0; round < minutes * roundsPerMinute; round += 1) {
      // What writing the samples costs is no cost of alerts.
      await measure(0.5)
      const before = cpuMs(process.pid) + postgresCpuMs(dataDir)
      await evaluateAlerts(parts, organizationId, ids)
      spentMs += cpuMs(process.pid) + postgresCpuMs(dataDir) - before
    }
    await metrics.stop()
    report({
      name: 'processor a minute of 1,000 alerts',
      value: spentMs / minutes,
      unit: 'ms',
      goal: 1_000,
      detail: 'server and PostgreSQL together; 250 different expressions',
    })
  })
}

/** Four alerts for each expression: limits of different severity are asked of the same series. */
function expressionOf(index: number): string {
  const workload = Math.floor(index / 4)
  const metric = workload % 2 === 0 ? clusterMetrics.cpuUsed : clusterMetrics.memoryUsed
  return workload < 200
    ? `${metric}{workload="service-${workload}"}`
    : `sum by (namespace) (${metric}{namespace="team-${workload % 8}",workload!="service-${workload}"})`
}
