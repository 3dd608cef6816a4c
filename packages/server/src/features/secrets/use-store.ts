import { and, desc, eq, inArray, isNull, ne, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { actorLabel } from '../../platform/audit/actor-label.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { recordUsage } from '../../platform/usage/record.ts'
import { apiKeys } from '../../tables/api-keys.ts'
import { auditEntries } from '../../tables/audit-entries.ts'
import { databases } from '../../tables/databases.ts'
import { metricSources } from '../../tables/metric-sources.ts'
import { memberships } from '../../tables/memberships.ts'
import { secretUses } from '../../tables/secret-uses.ts'
import { secrets } from '../../tables/secrets.ts'
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

/** Notes that a value was resolved, in the transaction in which it was, and meters the read. */
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
  await meterRead(db, use)
}

/** The read in the usage ledger, under the secret and whoever read it. */
async function meterRead(db: Db, { organizationId, secretId, at, ...by }: Use): Promise<void> {
  const [secret] = await db
    .select({ name: secrets.name })
    .from(secrets)
    .where(and(eq(secrets.organizationId, organizationId), eq(secrets.id, secretId)))
  const isPerson = by.subjectType === 'user' && /^\d{1,9}$/.test(by.subjectId)
  await recordUsage(db, organizationId, [
    {
      source: 'secret',
      id: uuidv7(),
      meter: 'secret_reads',
      value: '1',
      at,
      subject: {
        resource: { id: secretId, name: secret?.name ?? '' },
        ...(isPerson && { person: { id: Number(by.subjectId), name: by.subjectName } }),
      },
    },
  ])
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
      databaseProvider: databases.provider,
    })
    .from(secretUses)
    .leftJoin(
      databases,
      and(
        eq(secretUses.subjectType, 'database'),
        eq(databases.organizationId, organizationId),
        sql`${databases.id}::text = ${secretUses.subjectId}`,
      ),
    )
    .where(and(eq(secretUses.organizationId, organizationId), eq(secretUses.secretId, secretId)))
    .orderBy(desc(secretUses.lastUsedAt))
    .limit(400)
}

/** Data sources of metrics that are asked with the value of a secret. */
export function listSourcesWith(db: Db, organizationId: number, secretId: string) {
  return db
    .select({ id: metricSources.id, name: metricSources.name, testedAt: metricSources.testedAt })
    .from(metricSources)
    .where(and(eq(metricSources.organizationId, organizationId), eq(secretOfSource, secretId)))
    .orderBy(metricSources.name)
    .limit(100)
}

/** The secret that a data source names, as a text. */
export const secretOfSource = sql<string | null>`${metricSources.target} -> 'auth' ->> 'secretId'`

/** Members with their roles: anyone who could read it is among them. */
export function listMembers(db: Db, organizationId: number) {
  return db
    .select({ userId: memberships.userId, name: users.name, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.organizationId, organizationId))
    .orderBy(users.name, users.id)
    .limit(1_000)
}

export type RevealingKey = Awaited<ReturnType<typeof listRevealingKeys>>[number]

/** API keys that are valid and may reveal values, as far as their access to a secret goes. */
export function listRevealingKeys(db: Db, organizationId: number, secretId: string) {
  const resource = JSON.stringify([{ type: 'secret', id: secretId }])
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      ownerId: apiKeys.ownerId,
      madeBy: apiKeys.madeBy,
      role: apiKeys.role,
    })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        isNull(apiKeys.revokedAt),
        sql`coalesce(${apiKeys.expiresAt} > now(), true)`,
        sql`'secrets.reveal' = any(${apiKeys.permissions})`,
        sql`(${apiKeys.resources} = '[]'::jsonb or ${apiKeys.resources} @> ${resource}::jsonb)`,
      ),
    )
    .orderBy(apiKeys.name, apiKeys.id)
    .limit(200)
}

/** Which of these are API keys of the organization that are valid. */
export async function findLiveKeyIds(
  db: Db,
  organizationId: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        isNull(apiKeys.revokedAt),
        inArray(sql`${apiKeys.id}::text`, [...ids]),
      ),
    )
  return new Set(rows.map(({ id }) => id))
}

const outcomes = alias(auditEntries, 'outcomes')

export type ActivityCursor = { at: Date; id: string }

/** What the trail tells of a secret, newest first: an act once, by its outcome where that is known. */
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
      actor: actorLabel,
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
        or(
          ne(auditEntries.outcome, 'unknown'),
          notExists(
            db
              .select({ id: outcomes.id })
              .from(outcomes)
              .where(
                and(eq(outcomes.organizationId, organizationId), eq(outcomes.intentId, auditEntries.id)),
              ),
          ),
        ),
        before && sql`(${auditEntries.at}, ${auditEntries.id}) < (${before.at}, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.id))
    .limit(limit)
}
