import { databaseMetrics, engineFamily, insightLimits } from '@bey/contract'

import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { StatementCounters } from '../../../tables/database-statements.ts'
import type { InsightParts } from './insight-parts.ts'
import type { MonitorClient } from './monitor-connections.ts'
import { noLoad, type StatementLoad } from './load.ts'
import type { DatabaseRow } from '../store.ts'
import { countStatements, findStatements, readTexts } from './pg-statements.ts'
import { readWatchedStatements } from './watched-statements.ts'
import { keptStatements, latencyP95, statementDeltas } from './statement-deltas.ts'
import {
  addPoints,
  forgetStatements,
  knownStatements,
  lockInsight,
  updateInsight,
  writeStatements,
} from './statement-store.ts'

type SnapshotParts = InsightParts & {
  metrics: Pick<Metrics, 'write'>
  takeLoad: (id: string, queryIds: ReadonlySet<string>) => Map<string, StatementLoad>
}

/**
 * Counts the statements of a database and stores what each did since it was last counted. The server is asked before the
 * transaction; two processes that count at a time follow each other, and the older counts are left out.
 */
export async function snapshotStatements(parts: SnapshotParts, row: DatabaseRow): Promise<Date> {
  const { database, monitors, metrics, clock, takeLoad } = parts
  const { organizationId } = row
  const at = clock.now()
  const known = await database.readTenant(organizationId, (db) => knownStatements(db, row))
  const ids = new Set(known.map(({ queryId }) => queryId))
  const family = engineFamily(row.engine)
  const found =
    family === 'postgres'
      ? await monitors.use(row, (monitor) => readStatements(monitor, ids))
      : await readWatchedStatements(parts, row, family, ids)
  const p95Ms = await database.withTenant(organizationId, async (db) => {
    const insight = await lockInsight(db, row)
    if (insight?.statementsAt && insight.statementsAt >= at) return null
    if ('problem' in found) {
      await updateInsight(db, row, { statementsAt: at, statementsProblem: found.problem })
      return null
    }
    const before = await knownStatements(db, row)
    const beforeIds = new Set(before.map(({ queryId }) => queryId))
    const statements = found.statements.filter(
      ({ queryId }) => beforeIds.has(queryId) || found.texts.has(queryId),
    )
    const counters = new Map(before.map((each) => [each.queryId, each.counters]))
    const deltas = statementDeltas(statements, counters, insight?.statementsAt ?? null)
    const scores = new Map(before.map(({ queryId, score }) => [queryId, score]))
    const kept = keptStatements(statements, deltas, scores, insightLimits.statements)
    const counted = new Map(statements.map((each) => [each.queryId, each]))
    const changed = deltas.filter(({ queryId }) => kept.has(queryId))
    const load = takeLoad(row.id, new Set(changed.map(({ queryId }) => queryId)))
    await writeStatements(
      db,
      row,
      changed.flatMap(({ queryId, calls }) => {
        const each = counted.get(queryId)
        if (each === undefined) return []
        return {
          queryId,
          text: found.texts.get(queryId) ?? null,
          users: each.users.slice(0, 20),
          issuers: issuersOf(load.get(queryId)),
          counters: countersOf(each),
          score: kept.get(queryId) ?? 0,
          hasRun: calls > 0,
        }
      }),
      at,
    )
    await forgetStatements(
      db,
      row,
      [...beforeIds].filter((queryId) => !kept.has(queryId)),
    )
    const points = changed.map(({ queryId, ...delta }) => ({
      queryId,
      ...delta,
      load: load.get(queryId)?.seconds ?? noLoad(),
    }))
    await addPoints(
      db,
      row,
      points.filter(({ queryId, calls, totalMs }) => calls > 0 || totalMs > 0 || load.has(queryId)),
      at,
    )
    await updateInsight(db, row, {
      statementsAt: at,
      statementsSince: found.since,
      statementsProblem: null,
    })
    return latencyP95(deltas)
  })
  if (p95Ms !== null) {
    const entity = { type: 'database', id: row.id } as const
    await metrics.write(organizationId, entity, at, [{ metric: databaseMetrics.statementP95, value: p95Ms }])
  }
  return at
}

/** Counts, and the texts of statements that are not known yet. */
async function readStatements(monitor: MonitorClient, known: ReadonlySet<string>) {
  const place = await findStatements(monitor)
  if ('problem' in place) return place
  const counted = await countStatements(monitor, place.schema)
  const fresh = counted.statements.filter(({ queryId }) => !known.has(queryId)).map(({ queryId }) => queryId)
  return { ...counted, texts: await readTexts(monitor, place.schema, fresh) }
}

const countersOf = ({ calls, totalMs, rows, ioMs }: StatementCounters): StatementCounters => ({
  calls,
  totalMs,
  rows,
  ioMs,
})

/** application_name is what a client says: short, and few of them. */
function issuersOf(load: StatementLoad | undefined): Record<string, string> {
  const seen = [...(load?.issuers ?? [])].slice(0, 10)
  return Object.fromEntries(seen.map(([name, at]) => [name.slice(0, 64), at.toISOString()]))
}
