import { queryLimits, type SqlHistoryEntry, type SqlResult } from '@bey/contract'
import { and, desc, eq, ilike, lt } from 'drizzle-orm'

import type { Who } from '../../../platform/act.ts'
import { withoutPasswords } from '../../../platform/audit/audited-statement.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { databaseSqlHistory as table } from '../../../tables/database-queries.ts'

type Executed = { databaseId: string; statement: string; mode: 'read' | 'write'; at: Date }
type Outcome = Pick<SqlResult, 'durationMs' | 'affectedRows'> & { error: { message: string } | null }

/** Keeps what somebody executed, without the passwords in it. `outcome` is undefined where the server did not answer. */
export async function insertHistory(
  db: Db,
  { organizationId, user }: Who,
  { statement, ...executed }: Executed,
  outcome: Outcome | undefined,
): Promise<void> {
  await db.insert(table).values({
    ...executed,
    id: uuidv7(),
    organizationId,
    userId: user.id,
    statement: withoutPasswords(statement).slice(0, queryLimits.historyStatement),
    durationMs: outcome?.durationMs ?? null,
    rows: outcome?.affectedRows ?? null,
    error: outcome === undefined ? 'The server did not answer.' : (outcome.error?.message ?? null),
  })
}

/** What one person executed in a database, the newest first. */
export async function listHistory(
  db: Db,
  { organizationId, user }: Who,
  databaseId: string,
  { search, limit, before }: { search?: string | undefined; limit: number; before?: string | undefined },
): Promise<{ entries: SqlHistoryEntry[]; nextCursor: string | null }> {
  const rows = await db
    .select({
      id: table.id,
      statement: table.statement,
      mode: table.mode,
      at: table.at,
      durationMs: table.durationMs,
      rows: table.rows,
      error: table.error,
    })
    .from(table)
    .where(
      and(
        eq(table.organizationId, organizationId),
        eq(table.databaseId, databaseId),
        eq(table.userId, user.id),
        before === undefined ? undefined : lt(table.id, before),
        search === undefined
          ? undefined
          : ilike(table.statement, `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
      ),
    )
    .orderBy(desc(table.id))
    .limit(limit + 1)
  const entries = rows.slice(0, limit).map((row) => ({ ...row, at: row.at.toISOString() }))
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.id ?? null) : null }
}
