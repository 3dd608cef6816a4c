import { changeOfStatement, type DatabaseMoment, momentLimits } from '@bey/contract'
import { and, desc, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { Db } from '../../../platform/db/database.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { auditEntries } from '../../../tables/audit-entries.ts'
import { databaseSqlHistory } from '../../../tables/database-queries.ts'
import { users } from '../../../tables/users.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { workflows } from '../../../tables/workflows.ts'
import type { DatabaseParts } from '../parts.ts'
import { known } from './service.ts'

const since = sql`now() - make_interval(days => ${momentLimits.days})`
/** How many statements are looked at, the newest first: most of them change no more than rows of their own. */
const looked = 1_000

/** What is known to have removed or rewritten data of a database: the console's statements and those of workflows. */
export function momentHandlers({ database }: Pick<DatabaseParts, 'database'>): Handlers<'databases.moments'> {
  return {
    'databases.moments': ({ caller: { organizationId }, params: { id } }) =>
      database.readTenant(organizationId, async (db) => {
        await known(db, organizationId, id)
        const found = [
          ...(await listOfConsole(db, organizationId, id)),
          ...(await listOfRuns(db, organizationId, id)),
        ]
        const moments = found.flatMap(({ statement, ...facts }) => {
          const change = changeOfStatement(statement)
          return change === undefined ? [] : [{ ...change, ...facts }]
        })
        const newest = moments.toSorted((a, b) => b.at.getTime() - a.at.getTime())
        return {
          moments: newest
            .slice(0, momentLimits.listed)
            .map((moment) => ({ ...moment, at: moment.at.toISOString() })),
        }
      }),
  }
}

type Found = Pick<DatabaseMoment, 'rows' | 'by' | 'run'> & { statement: string; at: Date }

async function listOfConsole(db: Db, organizationId: number, databaseId: string): Promise<Found[]> {
  const history = databaseSqlHistory
  const rows = await db
    .select({ statement: history.statement, at: history.at, rows: history.rows, by: users.name })
    .from(history)
    .leftJoin(users, eq(users.id, history.userId))
    .where(
      and(
        eq(history.organizationId, organizationId),
        eq(history.databaseId, databaseId),
        eq(history.mode, 'write'),
        isNull(history.error),
        gte(history.at, since),
      ),
    )
    .orderBy(desc(history.id))
    .limit(looked)
  return rows.map((row) => ({ ...row, by: row.by ?? 'Former member', run: null }))
}

/** Of steps that succeeded; their entry is written when they end, and the one of their intent when they began. */
async function listOfRuns(db: Db, organizationId: number, databaseId: string): Promise<Found[]> {
  const intents = alias(auditEntries, 'intents')
  const rows = await db
    .select({
      statement: sql<string>`${intents.diff} ->> 'statement'`,
      at: intents.at,
      workflowId: workflows.id,
      runId: workflowRuns.id,
      workflowName: workflows.name,
    })
    .from(auditEntries)
    .innerJoin(
      intents,
      and(eq(intents.organizationId, organizationId), eq(intents.id, auditEntries.intentId)),
    )
    .innerJoin(workflowRuns, eq(workflowRuns.id, auditEntries.runId))
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .where(
      and(
        eq(auditEntries.organizationId, organizationId),
        eq(auditEntries.targetType, 'database'),
        eq(auditEntries.targetId, databaseId),
        eq(auditEntries.action, 'database.execute'),
        eq(auditEntries.outcome, 'success'),
        isNotNull(auditEntries.runId),
        gte(auditEntries.at, since),
      ),
    )
    .orderBy(desc(auditEntries.at))
    .limit(looked)
  return rows.map(({ statement, at, ...run }) => ({ statement, at, rows: null, by: null, run }))
}
