import { count, eq, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { memberships } from '../../tables/memberships.ts'
import { organizations } from '../../tables/organizations.ts'
import { users } from '../../tables/users.ts'

export async function loadDetail(db: Db, organizationId: number) {
  const rows = await db
    .select({
      id: organizations.id,
      name: organizations.name,
      timeZone: organizations.timeZone,
      defaultRole: organizations.defaultRole,
      createdAt: organizations.createdAt,
      deletionRequestedAt: organizations.deletionRequestedAt,
      deletionRequestedBy: organizations.deletionRequestedBy,
      requesterName: users.name,
      requesterEmail: users.email,
      deletesAt: organizations.deletesAt,
    })
    .from(organizations)
    .leftJoin(users, eq(users.id, organizations.deletionRequestedBy))
    .where(eq(organizations.id, organizationId))
  const [row] = rows
  return row && { ...row, ...(await countMembers(db, organizationId)) }
}

async function countMembers(db: Db, organizationId: number) {
  const rows = await db
    .select({
      memberCount: count(),
      ownerCount: sql<number>`count(*) filter (where ${memberships.role} = 'OWNER')::int`,
    })
    .from(memberships)
    .where(eq(memberships.organizationId, organizationId))
  return rows[0] ?? { memberCount: 0, ownerCount: 0 }
}

export async function updateOrganization(
  db: Db,
  organizationId: number,
  values: Partial<typeof organizations.$inferInsert>,
): Promise<void> {
  await db.update(organizations).set(values).where(eq(organizations.id, organizationId))
}

/** Addresses of the owners, who can undo a deletion. */
export async function ownerAddresses(db: Db, organizationId: number): Promise<string[]> {
  const rows = await db
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(sql`${memberships.organizationId} = ${organizationId} and ${memberships.role} = 'OWNER'`)
  return rows.map(({ email }) => email)
}

/** What an organization has, each with its noun in singular. */
export async function countContents(
  db: Db,
  organizationId: number,
): Promise<{ noun: string; count: number }[]> {
  const { rows } = await db.execute<{ noun: string; count: number }>(sql`
    select noun, count::int from (values
      ('cluster', (select count(*) from clusters where organization_id = ${organizationId} and deleted_at is null)),
      ('member', (select count(*) from memberships where organization_id = ${organizationId})),
      ('secret', (select count(*) from secrets where organization_id = ${organizationId})),
      ('own workflow', (select count(*) from workflows where organization_id = ${organizationId} and built_in is null)),
      ('run', (select count(*) from workflow_runs where organization_id = ${organizationId})),
      ('annotation', (select count(*) from annotations where organization_id = ${organizationId})),
      ('error', (select count(*) from error_groups where organization_id = ${organizationId}))
    ) as contents (noun, count)`)
  return rows
}
