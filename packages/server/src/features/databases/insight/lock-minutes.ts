import { type DatabaseSession, insightLimits, lockTree } from '@bey/contract'
import { and, desc, eq } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { databaseLockMinutes as table } from '../../../tables/database-lock-minutes.ts'
import type { Subject } from './statement-store.ts'

export type KeptTree = { at: Date; sessions: DatabaseSession[]; total: number; waiting: number }

const ofDatabase = ({ organizationId, id }: Subject) =>
  and(eq(table.organizationId, organizationId), eq(table.databaseId, id))

/** What is kept of the sessions of a moment: those of the tree, from its top, with short statements; undefined where none waits. */
export function keptTree(
  sessions: readonly DatabaseSession[],
  total: number,
  at: Date,
): KeptTree | undefined {
  const nodes = lockTree(sessions)
  const waiting = nodes.filter(({ session }) => session.blockedBy.length > 0).length
  if (waiting === 0) return undefined
  const kept = nodes.slice(0, insightLimits.keptSessions).map(({ session }) => ({
    ...session,
    statement: session.statement?.slice(0, insightLimits.keptStatement) ?? null,
    blockedBy: session.blockedBy.slice(0, insightLimits.keptSessions),
  }))
  return { at, sessions: kept, total, waiting }
}

/** Stores a tree, in the place of an earlier one of the same minute. */
export async function keepLockMinute(
  db: Db,
  subject: Subject,
  kept: KeptTree,
  replaced: Date | undefined,
): Promise<void> {
  if (replaced !== undefined) await db.delete(table).where(and(ofDatabase(subject), eq(table.at, replaced)))
  const { organizationId, id: databaseId } = subject
  await db
    .insert(table)
    .values({ ...kept, organizationId, databaseId })
    .onConflictDoNothing()
}

export async function listLockMinutes(db: Db, subject: Subject, atMost: number) {
  const rows = await db
    .select({ at: table.at, waiting: table.waiting })
    .from(table)
    .where(ofDatabase(subject))
    .orderBy(desc(table.at))
    .limit(atMost)
  return rows.map(({ at, waiting }) => ({ at: at.toISOString(), waiting }))
}

export async function findLockMinute(db: Db, subject: Subject, at: Date) {
  const [row] = await db
    .select({ at: table.at, sessions: table.sessions, total: table.total, waiting: table.waiting })
    .from(table)
    .where(and(ofDatabase(subject), eq(table.at, at)))
  return row && { ...row, at: row.at.toISOString() }
}
