import { and, asc, eq, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { securityGroups } from '../../../tables/networks.ts'
import { users } from '../../../tables/users.ts'

const columns = {
  id: securityGroups.id,
  organizationId: securityGroups.organizationId,
  networkId: securityGroups.networkId,
  name: securityGroups.name,
  description: securityGroups.description,
  filtersIn: securityGroups.filtersIn,
  filtersOut: securityGroups.filtersOut,
  rules: securityGroups.rules,
  targets: securityGroups.targets,
  createdBy: securityGroups.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: securityGroups.createdAt,
  updatedAt: securityGroups.updatedAt,
  rowVersion: securityGroups.rowVersion,
}

export type GroupRow = Awaited<ReturnType<typeof listGroups>>[number]

/** The security groups of a network, by name. */
export function listGroups(db: Db, organizationId: number, networkId: string) {
  return db
    .select(columns)
    .from(securityGroups)
    .leftJoin(users, eq(users.id, securityGroups.createdBy))
    .where(and(eq(securityGroups.organizationId, organizationId), eq(securityGroups.networkId, networkId)))
    .orderBy(asc(sql`lower(${securityGroups.name})`))
}

const byId = (organizationId: number, id: string) =>
  and(eq(securityGroups.organizationId, organizationId), eq(securityGroups.id, id))

type Values = typeof securityGroups.$inferInsert

export async function insertGroup(db: Db, values: Values): Promise<void> {
  await db.insert(securityGroups).values(values)
}

/** Changes a group that has this version; false where it has another by now. */
export async function updateGroup(
  db: Db,
  { organizationId, id, rowVersion }: Pick<GroupRow, 'organizationId' | 'id' | 'rowVersion'>,
  values: Partial<Values>,
): Promise<boolean> {
  const rows = await db
    .update(securityGroups)
    .set({ ...values, rowVersion: sql`${securityGroups.rowVersion} + 1` })
    .where(and(byId(organizationId, id), eq(securityGroups.rowVersion, rowVersion)))
    .returning({ id: securityGroups.id })
  return rows.length > 0
}

export async function deleteGroup(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(securityGroups).where(byId(organizationId, id))
}
