import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { auditEntries } from '../../tables/audit-entries.ts'
import { memberships } from '../../tables/memberships.ts'
import { secretUses } from '../../tables/secret-uses.ts'
import { users } from '../../tables/users.ts'

export type Use = {
  organizationId: number
  secretId: string
  /** Who or what used it: `user` revealed it. */
  subjectType: 'user' | 'workflow' | 'cluster' | 'database' | 'webhook' | 'api_key'
  subjectId: string
  subjectName: string
  version: number
  runId?: string
  at: Date
}

/** Notes that a value was resolved, in the transaction in which it was. */
export async function recordUse(db: Db, use: Use): Promise<void> {
  const { organizationId, secretId, subjectType, subjectId, subjectName, version, runId, at } = use
  await db
    .insert(secretUses)
    .values({
      organizationId,
      secretId,
      subjectType,
      subjectId,
      subjectName,
      lastVersion: version,
      lastRunId: runId ?? null,
      firstUsedAt: at,
      lastUsedAt: at,
    })
    .onConflictDoUpdate({
      target: [secretUses.organizationId, secretUses.secretId, secretUses.subjectType, secretUses.subjectId],
      set: {
        subjectName,
        useCount: sql`${secretUses.useCount} + 1`,
        lastVersion: version,
        lastRunId: runId ?? null,
        lastUsedAt: at,
      },
    })
}

export function listUses(db: Db, organizationId: number, secretId: string) {
  return db
    .select({
      subjectType: secretUses.subjectType,
      subjectId: secretUses.subjectId,
      subjectName: secretUses.subjectName,
      useCount: secretUses.useCount,
      lastVersion: secretUses.lastVersion,
      lastUsedAt: secretUses.lastUsedAt,
    })
    .from(secretUses)
    .where(and(eq(secretUses.organizationId, organizationId), eq(secretUses.secretId, secretId)))
    .orderBy(desc(secretUses.lastUsedAt))
    .limit(400)
}

/** Members with their roles: whoever could read it is among them. */
export function listMembers(db: Db, organizationId: number) {
  return db
    .select({ userId: memberships.userId, name: users.name, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.organizationId, organizationId))
    .orderBy(users.name, users.id)
    .limit(1_000)
}

export type ActivityCursor = { at: Date; id: string }

/** What the trail tells of a secret, newest first. */
export function listActivity(
  db: Db,
  organizationId: number,
  secretId: string,
  page: { before: ActivityCursor | undefined; limit: number },
) {
  const { before, limit } = page
  return db
    .select({
      id: auditEntries.id,
      at: auditEntries.at,
      action: auditEntries.action,
      outcome: auditEntries.outcome,
      actorDisplay: auditEntries.actorDisplay,
      via: auditEntries.via,
      ip: auditEntries.ip,
      requestId: auditEntries.requestId,
      runId: auditEntries.runId,
      diff: auditEntries.diff,
    })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.organizationId, organizationId),
        eq(auditEntries.targetType, 'secret'),
        eq(auditEntries.targetId, secretId),
        before && sql`(${auditEntries.at}, ${auditEntries.id}) < (${before.at}, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(limit)
}
