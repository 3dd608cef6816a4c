import type { SecretVersionStatus } from '@bey/contract'
import { and, asc, count, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { secretVersions } from '../../tables/secret-versions.ts'
import { secrets } from '../../tables/secrets.ts'
import { users } from '../../tables/users.ts'

export type VersionRow = Awaited<ReturnType<typeof listVersions>>[number]
export type NewVersion = typeof secretVersions.$inferInsert

const columns = {
  version: secretVersions.version,
  status: secretVersions.status,
  valueHash: secretVersions.valueHash,
  reason: secretVersions.reason,
  restoredFrom: secretVersions.restoredFrom,
  createdBy: secretVersions.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: secretVersions.createdAt,
  liveUntil: secretVersions.liveUntil,
}

const of = (organizationId: number, secretId: string) =>
  and(eq(secretVersions.organizationId, organizationId), eq(secretVersions.secretId, secretId))

/** Newest first. */
export function listVersions(db: Db, organizationId: number, secretId: string) {
  return db
    .select(columns)
    .from(secretVersions)
    .leftJoin(users, eq(users.id, secretVersions.createdBy))
    .where(of(organizationId, secretId))
    .orderBy(desc(secretVersions.version))
}

/** One version with its sealed value, null once that is destroyed; `current` is the one of the secret's row. */
export async function findSealed(
  db: Db,
  organizationId: number,
  secretId: string,
  version: number | 'current',
) {
  const current = sql`(select ${secrets.currentVersion} from ${secrets} where ${secrets.id} = ${secretId})`
  const rows = await db
    .select({
      version: secretVersions.version,
      status: secretVersions.status,
      sealed: secretVersions.sealed,
      valueHash: secretVersions.valueHash,
      restoredFrom: secretVersions.restoredFrom,
    })
    .from(secretVersions)
    .where(
      and(
        of(organizationId, secretId),
        eq(secretVersions.version, version === 'current' ? current : version),
      ),
    )
  return rows[0]
}

export async function insertVersion(db: Db, values: NewVersion): Promise<void> {
  await db.insert(secretVersions).values(values)
}

export async function setVersionStatus(
  db: Db,
  organizationId: number,
  secretId: string,
  version: number,
  status: SecretVersionStatus,
): Promise<void> {
  const wiped = status === 'destroyed' ? { sealed: null, valueHash: null } : {}
  const ended = status === 'superseded' ? {} : { liveUntil: null }
  await db
    .update(secretVersions)
    .set({ status, ...wiped, ...ended })
    .where(and(of(organizationId, secretId), eq(secretVersions.version, version)))
}

/** Lets an older version be used until then beside the current one. */
export async function setLiveUntil(
  db: Db,
  organizationId: number,
  secretId: string,
  version: number,
  liveUntil: Date,
): Promise<void> {
  await db
    .update(secretVersions)
    .set({ liveUntil })
    .where(and(of(organizationId, secretId), eq(secretVersions.version, version)))
}

/** Removes the oldest versions beyond `keep`; never the current one, nor those that may still be used beside it. */
export async function trimVersions(
  db: Db,
  organizationId: number,
  secretId: string,
  keep: number,
): Promise<void> {
  const kept = db
    .select({ version: secretVersions.version })
    .from(secretVersions)
    .where(of(organizationId, secretId))
    .orderBy(desc(sql`${secretVersions.status} = 'current'`), desc(secretVersions.version))
    .limit(keep)
  await db
    .delete(secretVersions)
    .where(
      and(
        of(organizationId, secretId),
        isNull(secretVersions.liveUntil),
        sql`${secretVersions.version} not in (${kept})`,
      ),
    )
}

/** Wipes the values of all versions of a secret. */
export async function destroyVersions(db: Db, organizationId: number, secretId: string): Promise<void> {
  await db
    .update(secretVersions)
    .set({ status: 'destroyed', sealed: null, valueHash: null, liveUntil: null })
    .where(of(organizationId, secretId))
}

/** Versions of an organization that hold a value. */
export async function countSealed(db: Db, organizationId: number): Promise<number> {
  const rows = await db
    .select({ total: count() })
    .from(secretVersions)
    .where(and(eq(secretVersions.organizationId, organizationId), isNotNull(secretVersions.sealed)))
  return rows[0]?.total ?? 0
}

/** Every sealed value of an organization, in slices, for checking that all of them open. */
export function listSealed(
  db: Db,
  organizationId: number,
  after: { secretId: string; version: number } | null,
) {
  return db
    .select({
      secretId: secretVersions.secretId,
      name: secrets.name,
      version: secretVersions.version,
      sealed: secretVersions.sealed,
    })
    .from(secretVersions)
    .innerJoin(secrets, eq(secrets.id, secretVersions.secretId))
    .where(
      and(
        eq(secretVersions.organizationId, organizationId),
        sql`${secretVersions.sealed} is not null`,
        after
          ? sql`(${secretVersions.secretId}, ${secretVersions.version}) > (${after.secretId}::uuid, ${after.version})`
          : undefined,
      ),
    )
    .orderBy(asc(secretVersions.secretId), asc(secretVersions.version))
    .limit(500)
}
