import type { InvitationRole } from '@bey/contract'
import { and, count, desc, eq, gt, ilike, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { containing } from '../../../platform/db/like.ts'
import { countUpTo } from '../../../platform/db/totals.ts'
import { invitations } from '../../../tables/invitations.ts'
import { memberships } from '../../../tables/memberships.ts'
import { organizations } from '../../../tables/organizations.ts'
import { users } from '../../../tables/users.ts'

const columns = {
  id: invitations.id,
  organizationId: invitations.organizationId,
  email: invitations.email,
  role: invitations.role,
  status: invitations.status,
  round: invitations.round,
  tokenHash: invitations.tokenHash,
  invitedById: invitations.invitedBy,
  inviterName: users.name,
  inviterEmail: users.email,
  createdAt: invitations.createdAt,
  sentAt: invitations.sentAt,
  expiresAt: invitations.expiresAt,
  mailId: invitations.mailId,
}

export type InvitationRow = Awaited<ReturnType<typeof listInvitations>>['rows'][number]

type InvitationFilter = {
  search?: string | undefined
  page: number
  limit: number
  id?: string
  ids?: string[]
}

/** Those that are stored as pending, expired ones among them, the newest link first. */
export async function listInvitations(db: Db, organizationId: number, filter: InvitationFilter) {
  const where = and(
    eq(invitations.organizationId, organizationId),
    eq(invitations.status, 'pending'),
    filter.ids === undefined ? undefined : inArray(invitations.id, filter.ids),
    filter.search ? ilike(invitations.email, containing(filter.search)) : undefined,
  )
  const rows = await db
    .select(columns)
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(where)
    .orderBy(desc(invitations.sentAt), desc(invitations.id))
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
  return { rows, ...(await countUpTo(db, sql`select 1 from ${invitations} where ${where}`)) }
}

/** One invitation, whatever its status, locked until the transaction ends: two answers come one after the other. */
export async function lockInvitation(
  db: Db,
  organizationId: number,
  id: string,
): Promise<InvitationRow | undefined> {
  const rows = await db
    .select(columns)
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.id, id)))
    .for('update', { of: invitations })
  return rows[0]
}

export async function insertInvitation(db: Db, values: typeof invitations.$inferInsert): Promise<void> {
  await db.insert(invitations).values(values)
}

export async function updateInvitation(
  db: Db,
  organizationId: number,
  id: string,
  values: Partial<typeof invitations.$inferInsert>,
): Promise<void> {
  await db
    .update(invitations)
    .set(values)
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.id, id)))
}

export async function countWaiting(db: Db, organizationId: number, now: Date): Promise<number> {
  const rows = await db
    .select({ count: count() })
    .from(invitations)
    .where(
      and(
        eq(invitations.organizationId, organizationId),
        eq(invitations.status, 'pending'),
        gt(invitations.expiresAt, now),
      ),
    )
  return rows[0]?.count ?? 0
}

/** What is there already of some addresses: members, and invitations that are stored as pending. */
export async function knownAddresses(db: Db, organizationId: number, emails: readonly string[]) {
  const members = await db
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), inArray(users.email, [...emails])))
  const pending = await db
    .select({ id: invitations.id, email: invitations.email, expiresAt: invitations.expiresAt })
    .from(invitations)
    .where(
      and(
        eq(invitations.organizationId, organizationId),
        eq(invitations.status, 'pending'),
        inArray(invitations.email, [...emails]),
      ),
    )
  return { members: new Set(members.map(({ email }) => email)), pending }
}

export type MailOutcome = {
  outcome: 'sent' | 'filed' | 'dropped' | 'failed' | null
  lastError: string | null
}

/** What became of mails, by their ids; those that were sent long ago are not there. */
export async function mailOutcomes(db: Db, ids: readonly string[]): Promise<Map<string, MailOutcome>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<MailOutcome & { id: string }>(
    sql`select id, outcome, last_error as "lastError" from mail_outcomes(${sql.param(ids)}::uuid[])`,
  )
  return new Map(rows.map(({ id, ...outcome }) => [id, outcome]))
}

export async function findOrganization(db: Db, organizationId: number) {
  const rows = await db
    .select({
      name: organizations.name,
      timeZone: organizations.timeZone,
      deletesAt: organizations.deletesAt,
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
  return rows[0]
}

/** Makes the user a member; false if they are one. Needs `asSystem`, for it also makes the organization the active one. */
export async function joinOrganization(
  db: Db,
  values: { organizationId: number; userId: number; role: InvitationRole; invitedBy: number | null },
): Promise<boolean> {
  const rows = await db
    .insert(memberships)
    .values({ ...values, origin: 'invitation' })
    .onConflictDoNothing()
    .returning({ userId: memberships.userId })
  await db
    .update(users)
    .set({ activeOrganizationId: values.organizationId })
    .where(eq(users.id, values.userId))
  return rows.length === 1
}

/** Counts a user's organizations with their row locked, so that two acceptances at once count one after the other. */
export async function countOrganizationsOf(db: Db, userId: number): Promise<number> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const rows = await db.select({ count: count() }).from(memberships).where(eq(memberships.userId, userId))
  return rows[0]?.count ?? 0
}
