import { and, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { memberships } from '../../tables/memberships.ts'
import { secretGrants } from '../../tables/secret-grants.ts'
import { secretVersions } from '../../tables/secret-versions.ts'
import { secrets } from '../../tables/secrets.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'

/** Secrets of every organization with which the server has something to do by itself. */
export type DueSecret = { id: string; organizationId: number }

const columns = { id: secrets.id, organizationId: secrets.organizationId }
const atOnce = 100

/** Those whose time to be restored is over. */
export function listPurgeable(db: Db, now: Date): Promise<DueSecret[]> {
  return db
    .select(columns)
    .from(secrets)
    .where(and(isNotNull(secrets.purgeAt), lte(secrets.purgeAt, now)))
    .orderBy(secrets.purgeAt)
    .limit(atOnce)
}

/** Those in use whose next value is due; after a failure, once it is time to try again. */
export function listRotatable(db: Db, now: Date): Promise<DueSecret[]> {
  return db
    .select(columns)
    .from(secrets)
    .where(
      and(eq(secrets.status, 'active'), isNotNull(secrets.nextRotationAt), sql`${rotationDueAt} <= ${now}`),
    )
    .orderBy(rotationDueAt)
    .limit(atOnce)
}

const rotationDueAt = sql`coalesce(${secrets.rotationRetryAt}, ${secrets.nextRotationAt})`

/** Those with a version beside the current one whose time is over. */
export function listOverlapping(db: Db, now: Date): Promise<DueSecret[]> {
  const { organizationId, secretId: id } = secretVersions
  return db
    .selectDistinct({ organizationId, id })
    .from(secretVersions)
    .where(and(isNotNull(secretVersions.liveUntil), lte(secretVersions.liveUntil, now)))
    .limit(atOnce)
}

/** Those that come nearer to their expiry than their managers were notified. */
export function listUntold(db: Db, now: Date): Promise<DueSecret[]> {
  const ahead = (days: number) => sql`${now.toISOString()}::timestamptz + make_interval(days => ${days})`
  const nearest = sql`case when ${secrets.expiresAt} <= ${ahead(0)} then 0
    when ${secrets.expiresAt} <= ${ahead(1)} then 1 when ${secrets.expiresAt} <= ${ahead(7)} then 7 else 30 end`
  return db
    .select(columns)
    .from(secrets)
    .where(
      and(
        eq(secrets.status, 'active'),
        sql`${secrets.expiresAt} <= ${ahead(30)}`,
        sql`(${secrets.expiryNoticeFor} is distinct from ${secrets.expiresAt} or ${secrets.expiryNoticeDays} > ${nearest})`,
      ),
    )
    .orderBy(secrets.expiresAt)
    .limit(atOnce)
}

/** False when another server or request works on the secret at this moment; it is locked otherwise. */
export async function tryLockSecret(db: Db, { organizationId, id }: DueSecret): Promise<boolean> {
  const rows = await db
    .select({ id: secrets.id })
    .from(secrets)
    .where(and(eq(secrets.organizationId, organizationId), eq(secrets.id, id)))
    .for('no key update', { skipLocked: true })
  return rows.length > 0
}

/** Who manages a secret: owners and admins, and members to whom or to whose role it was granted. */
export async function listManagers(db: Db, { organizationId, id }: DueSecret): Promise<number[]> {
  const rows = await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        sql`(${memberships.role} in ('OWNER', 'ADMIN') or exists (select 1 from ${secretGrants}
          where ${secretGrants.organizationId} = ${organizationId} and ${secretGrants.secretId} = ${id}
            and ${secretGrants.access} = 'manage'
            and (${secretGrants.subjectType}, ${secretGrants.subjectId}) in
              (('user', ${memberships.userId}::text), ('role', ${memberships.role}))))`,
      ),
    )
    // Held, so that none can go between this and the notification, which refers to it.
    .for('key share')
  return rows.map(({ userId }) => userId)
}

/** Whether a run is rotating the secret and restarting what uses it: nothing else may rotate it meanwhile. */
export async function isRotatedByRun(
  db: Db,
  { organizationId, id }: { organizationId: number; id: string },
): Promise<boolean> {
  const rows = await db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(
      and(
        eq(workflowRuns.organizationId, organizationId),
        eq(workflowRuns.subjectType, 'secret'),
        eq(workflowRuns.subjectId, id),
        isNull(workflowRuns.finishedAt),
      ),
    )
    .limit(1)
  return rows.length > 0
}
