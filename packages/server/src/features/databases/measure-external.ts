import { databaseMetrics, engineFamily } from '@bey/contract'

import type { MeasuredDatabase } from '../../tables/databases.ts'
import { activityRates } from './insight/activity.ts'
import { type Measured, measureOnce } from './measure.ts'
import { monitorName } from './open-connection.ts'
import type { DatabaseProviders, ExternalTarget, WatchedReading } from './provider.ts'

/**
 * Connects to a server that somebody else runs, asks it for its figures, and ends the connection. Throws ConnectionProblem
 * with a sentence that says what is wrong and what helps.
 */
export async function measureExternal(
  { external, watched }: Pick<DatabaseProviders, 'external' | 'watched'>,
  target: ExternalTarget,
  before: MeasuredDatabase | null,
  at: Date,
): Promise<Measured & { isEncrypted: boolean }> {
  const family = engineFamily(target.engine)
  if (family === 'postgres') {
    const connection = await external.connect(target, monitorName)
    const { isEncrypted } = connection
    return { ...(await measureOnce(connection, before, at)), isEncrypted }
  }
  const connection = await watched[family].connect(target, monitorName)
  try {
    const reading = await connection.read(at)
    return { ...withRates(reading, before, at), isEncrypted: connection.isEncrypted }
  } finally {
    await connection.end()
  }
}

/** A reading with its rates since `before`. */
function withRates(
  { engine, version, notes, figures, counters, ownStatements }: WatchedReading,
  before: MeasuredDatabase | null,
  at: Date,
): Measured {
  const passedMs = before === null ? 0 : at.getTime() - Date.parse(before.at)
  const { hits, reads, statements = 0 } = counters
  const then = before?.counters
  // A server that was restarted counts from zero again.
  const isReset = then?.statements === undefined || statements < then.statements || passedMs < 500
  const since = isReset ? undefined : then
  const newHits = Math.max(0, hits - (since?.hits ?? 0))
  const newReads = Math.max(0, reads - (since?.reads ?? 0))
  const statementsPerSecond =
    since?.statements === undefined
      ? null
      : Math.max(0, ((statements - since.statements - ownStatements) / passedMs) * 1_000)
  return {
    engine,
    version,
    notes,
    figures: {
      ...figures,
      at: at.toISOString(),
      cacheHit: newHits + newReads > 0 ? newHits / (newHits + newReads) : null,
      transactionsPerSecond: null,
      rollbacksPerSecond: null,
      statementsPerSecond,
      frozenAge: null,
      rates: {
        ...activityRates(counters, since, passedMs),
        ...(statementsPerSecond !== null && { [databaseMetrics.statements]: statementsPerSecond }),
      },
      counters,
    },
  }
}
