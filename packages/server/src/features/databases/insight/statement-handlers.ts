import type { Handlers } from '../../../platform/http/handlers.ts'
import type { DatabaseRow } from '../store.ts'
import { findRow, type InsightParts } from './insight-parts.ts'
import { listStatements, rangeUntil } from './statement-list.ts'
import { findInsight } from './statement-store.ts'

type Names = `databases.${'statements' | 'measureStatements'}`

/** Statements of databases by the time that they take. `measure` reads them from the server now. */
export function statementHandlers(
  parts: InsightParts,
  measure: (row: DatabaseRow) => Promise<Date>,
): Handlers<Names> {
  const { database, clock } = parts
  return {
    'databases.statements': async ({ caller: { organizationId }, params: { id }, query }) => {
      const { figures } = await findRow(parts, organizationId, id)
      const range = rangeUntil(query.range, clock.now())
      return database.readTenant(organizationId, async (db) => {
        const subject = { organizationId, id }
        const insight = await findInsight(db, subject)
        return {
          from: new Date(range.fromMs).toISOString(),
          to: new Date(range.toMs).toISOString(),
          stepMs: range.stepMs,
          measuredAt: insight?.statementsAt?.toISOString() ?? null,
          since: insight?.statementsSince?.toISOString() ?? null,
          problem: insight?.statementsProblem ?? null,
          slowest: figures?.slowest ?? null,
          statements: await listStatements(db, subject, range),
        }
      })
    },
    'databases.measureStatements': async ({ caller, params }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      return { measuredAt: (await measure(row)).toISOString() }
    },
  }
}
