import { databaseMetrics } from '@bey/contract'

import type { Sample } from '../../platform/metrics/metrics.ts'
import type { MeasuredDatabase } from '../../tables/databases.ts'

/** What was measured of a database, as the store of metrics takes it. What is not known is left out: a gap. */
export function samplesOf(figures: MeasuredDatabase): Sample[] {
  const byState = {
    active: figures.active,
    idle: figures.idle,
    idle_in_transaction: figures.idleInTransaction,
  }
  const whole: [string, number | null][] = [
    [databaseMetrics.connections, figures.connections],
    [databaseMetrics.connectionsMax, figures.maxConnections],
    [databaseMetrics.waiting, figures.waiting],
    [databaseMetrics.transactions, figures.transactionsPerSecond],
    [databaseMetrics.rollbacks, figures.rollbacksPerSecond],
    [databaseMetrics.cacheHit, figures.cacheHit === null ? null : figures.cacheHit * 100],
    [databaseMetrics.size, figures.sizeBytes],
    [databaseMetrics.replicationLag, figures.replicationLagMs ?? null],
    // A server that does not say what its sessions do has no longest statement.
    [databaseMetrics.longestQuery, figures.active === null ? null : (figures.longestQueryMs ?? 0)],
  ]
  return [
    ...whole.flatMap(([metric, value]) => (value === null ? [] : [{ metric, value }])),
    ...Object.entries(figures.rates ?? {}).map(([metric, value]) => ({ metric, value })),
    ...Object.entries(byState).flatMap(([state, value]) =>
      value === null ? [] : [{ metric: databaseMetrics.connectionsByState, labels: { state }, value }],
    ),
  ]
}
