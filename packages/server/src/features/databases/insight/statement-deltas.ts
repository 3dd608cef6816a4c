import type { StatementCounters } from '../../../tables/database-statements.ts'

/** A statement as the server counts it now. */
export type CountedStatement = StatementCounters & {
  queryId: string
  /** When the server began to count it; null before PostgreSQL 17, which does not say. */
  since: Date | null
}

/** What a statement did since it was last counted. */
export type StatementDelta = StatementCounters & { queryId: string }

/**
 * What each statement did since the counts before. A count that went back was reset, so all of it is new. A statement that
 * is not among the counts before is new where the server says that it began after them; else its past is not known to be
 * of this time, and it counts from now on.
 */
export function statementDeltas(
  counted: readonly CountedStatement[],
  before: ReadonlyMap<string, StatementCounters>,
  beforeAt: Date | null,
): StatementDelta[] {
  return counted.map(({ queryId, since, ...now }) => {
    const then = before.get(queryId)
    if (then === undefined) {
      const isNew = beforeAt !== null && since !== null && since >= beforeAt
      return { queryId, ...(isNew ? now : zero) }
    }
    if (now.calls < then.calls || now.totalMs < then.totalMs) return { queryId, ...now }
    return {
      queryId,
      calls: now.calls - then.calls,
      totalMs: now.totalMs - then.totalMs,
      rows: Math.max(0, now.rows - then.rows),
      ioMs: Math.max(0, now.ioMs - then.ioMs),
    }
  })
}

const zero: StatementCounters = { calls: 0, totalMs: 0, rows: 0, ioMs: 0 }

/**
 * The mean time, in ms, that 95 of 100 calls stay within: of each statement its mean since the counts before stands for all
 * of its calls, for a server counts no more. Null where nothing was called.
 */
export function latencyP95(deltas: readonly Pick<StatementDelta, 'calls' | 'totalMs'>[]): number | null {
  const called = deltas
    .filter(({ calls }) => calls > 0)
    .map(({ calls, totalMs }) => ({ calls, meanMs: totalMs / calls }))
    .toSorted((a, b) => a.meanMs - b.meanMs)
  const share = 0.95 * called.reduce((sum, { calls }) => sum + calls, 0)
  let counted = 0
  return called.find(({ calls }) => (counted += calls) >= share)?.meanMs ?? null
}

/** Of the score, so much counts a minute later: half of it after half a day. */
const decay = 0.5 ** (1 / 720)

type Scored = { queryId: string; score: number }

/**
 * Which statements are kept, at most `limit`: those that took the most time lately; among those that took none, the ones
 * that took the most ever. `known`: the scores before.
 */
export function keptStatements(
  counted: readonly CountedStatement[],
  deltas: readonly StatementDelta[],
  known: ReadonlyMap<string, number>,
  limit: number,
): Map<string, number> {
  const totals = new Map(counted.map(({ queryId, totalMs }) => [queryId, totalMs]))
  const scores = new Map([...known].map(([queryId, score]) => [queryId, score * decay]))
  for (const { queryId, totalMs } of deltas) scores.set(queryId, (scores.get(queryId) ?? 0) + totalMs)
  const kept: Scored[] = [...scores]
    .map(([queryId, score]) => ({ queryId, score }))
    .toSorted((a, b) => b.score - a.score || (totals.get(b.queryId) ?? 0) - (totals.get(a.queryId) ?? 0))
    .slice(0, limit)
  return new Map(kept.map(({ queryId, score }) => [queryId, score]))
}
