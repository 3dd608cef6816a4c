import { and, asc, eq, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { backupTargets } from '../../../tables/backup-targets.ts'
import { users } from '../../../tables/users.ts'

export type TargetRow = Awaited<ReturnType<typeof listTargets>>[number]

const columns = {
  id: backupTargets.id,
  name: backupTargets.name,
  endpoint: backupTargets.endpoint,
  region: backupTargets.region,
  bucket: backupTargets.bucket,
  prefix: backupTargets.prefix,
  accessKeyId: backupTargets.accessKeyId,
  secretSealed: backupTargets.secretSealed,
  checkedAt: backupTargets.checkedAt,
  checkProblem: backupTargets.checkProblem,
  version: backupTargets.version,
  createdBy: backupTargets.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: backupTargets.createdAt,
  updatedAt: backupTargets.updatedAt,
}

const selectTargets = (db: Db) =>
  db.select(columns).from(backupTargets).leftJoin(users, eq(users.id, backupTargets.createdBy))

const byId = (organizationId: number, id: string) =>
  and(eq(backupTargets.organizationId, organizationId), eq(backupTargets.id, id))

export function listTargets(db: Db, organizationId: number) {
  return selectTargets(db)
    .where(eq(backupTargets.organizationId, organizationId))
    .orderBy(asc(sql`lower(${backupTargets.name})`))
}

export async function findTarget(db: Db, organizationId: number, id: string): Promise<TargetRow | undefined> {
  const [row] = await selectTargets(db).where(byId(organizationId, id))
  return row
}

/** Keeps a target from being changed by others until the transaction ends. */
export async function lockTarget(db: Db, organizationId: number, id: string): Promise<TargetRow | undefined> {
  const [row] = await selectTargets(db).where(byId(organizationId, id)).for('update', { of: backupTargets })
  return row
}

/** Whether there is such a target; it is not deleted before the transaction ends. */
export async function holdTarget(db: Db, organizationId: number, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: backupTargets.id })
    .from(backupTargets)
    .where(byId(organizationId, id))
    .for('share')
  return rows.length > 0
}

export async function insertTarget(db: Db, values: typeof backupTargets.$inferInsert): Promise<void> {
  await db.insert(backupTargets).values(values)
}

export async function updateTarget(
  db: Db,
  organizationId: number,
  id: string,
  values: Partial<typeof backupTargets.$inferInsert>,
): Promise<void> {
  // A change of nothing.
  if (Object.values(values).every((value) => value === undefined)) return
  await db.update(backupTargets).set(values).where(byId(organizationId, id))
}

/** Notes what a check found; not where the target was changed meanwhile. */
export async function recordCheck(
  db: Db,
  organizationId: number,
  { id, version }: Pick<TargetRow, 'id' | 'version'>,
  checkedAt: Date,
  checkProblem: string | null,
): Promise<void> {
  await db
    .update(backupTargets)
    .set({ checkedAt, checkProblem })
    .where(and(byId(organizationId, id), eq(backupTargets.version, version)))
}

export async function deleteTarget(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(backupTargets).where(byId(organizationId, id))
}

/** A database that uses a target, and the bytes that it keeps there. `targetId` null: the machine of Bey. */
export type TargetUse = { targetId: string | null; id: string; name: string; storedBytes: number }

/** Databases with backups, WAL or a policy for each target, by name; one that was deleted but kept its backups too. */
export async function listTargetUses(db: Db, organizationId: number): Promise<TargetUse[]> {
  const { rows } = await db.execute<TargetUse>(sql`
    select u.target_id as "targetId", d.id, d.name, sum(u.bytes)::float8 as "storedBytes"
    from (
      select target_id, database_id, coalesce(stored_bytes, 0) as bytes from database_backups
      where organization_id = ${organizationId} and store_key is not null
      union all
      select target_id, database_id, stored_bytes from database_wal_segments
      where organization_id = ${organizationId}
      union all
      select target_id, database_id, 0 from database_backup_policies
      where organization_id = ${organizationId} and target_id is not null
    ) u
    join databases d on d.id = u.database_id
    group by u.target_id, d.id, d.name
    order by lower(d.name), d.id`)
  return rows
}
