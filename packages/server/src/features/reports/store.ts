import { type ReportKind, reportBounds } from '@bey/contract/reports/rules'
import { and, asc, count, desc, eq, ilike, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { memberships } from '../../tables/memberships.ts'
import { reports } from '../../tables/reports.ts'
import { users } from '../../tables/users.ts'

const columns = {
  id: reports.id,
  name: reports.name,
  kind: reports.kind,
  parameters: reports.parameters,
  schedule: reports.schedule,
  nextAt: reports.nextAt,
  note: reports.note,
  recipients: reports.recipients,
  ownerId: reports.ownerId,
  ownerName: users.name,
  ownerEmail: users.email,
  createdAt: reports.createdAt,
  updatedAt: reports.updatedAt,
}

export type ReportRow = NonNullable<Awaited<ReturnType<typeof findReport>>>
type Values = typeof reports.$inferInsert
type Filter = {
  search?: string | undefined
  kinds: readonly ReportKind[]
  sort: 'name' | 'createdAt'
  order?: 'asc' | 'desc' | undefined
  page: number
  limit: number
}

export async function listReports(db: Db, organizationId: number, filter: Filter) {
  const where = and(
    eq(reports.organizationId, organizationId),
    inArray(reports.kind, [...filter.kinds]),
    filter.search ? ilike(reports.name, containing(filter.search)) : undefined,
  )
  const direction = (filter.order ?? (filter.sort === 'name' ? 'asc' : 'desc')) === 'asc' ? asc : desc
  const by = filter.sort === 'name' ? sql`lower(${reports.name})` : reports.createdAt
  const [rows, total] = await Promise.all([
    db
      .select(columns)
      .from(reports)
      .leftJoin(users, eq(users.id, reports.ownerId))
      .where(where)
      .orderBy(direction(by), direction(reports.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(db, sql`select 1 from ${reports} where ${where}`),
  ])
  return { rows, ...total }
}

/** `isLocked` keeps the row from being changed by others until the transaction ends. */
export async function findReport(db: Db, organizationId: number, id: string, { isLocked = false } = {}) {
  const query = db
    .select(columns)
    .from(reports)
    .leftJoin(users, eq(users.id, reports.ownerId))
    .where(and(eq(reports.organizationId, organizationId), eq(reports.id, id)))
    .$dynamic()
  const [row] = await (isLocked ? query.for('update', { of: reports }) : query)
  return row
}

export async function countReports(db: Db, organizationId: number): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(reports)
    .where(eq(reports.organizationId, organizationId))
  return row?.count ?? 0
}

export async function insertReport(db: Db, values: Values): Promise<void> {
  await db.insert(reports).values(values)
}

export async function updateReport(
  db: Db,
  organizationId: number,
  id: string,
  values: Partial<Values>,
): Promise<void> {
  await db
    .update(reports)
    .set({ ...values, updatedAt: sql`now()` })
    .where(and(eq(reports.organizationId, organizationId), eq(reports.id, id)))
}

export async function deleteReport(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(reports).where(and(eq(reports.organizationId, organizationId), eq(reports.id, id)))
}

/** Members of the organization among some users, with their roles. */
export function membersAmong(db: Db, organizationId: number, ids: readonly number[]) {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .select({ id: users.id, name: users.name, email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), inArray(memberships.userId, [...ids])))
    .limit(reportBounds.perOrganization * reportBounds.maxRecipients)
}

/** Schedules of all organizations that are due. */
export function listDue(db: Db, now: Date, limit: number) {
  return db
    .select({ id: reports.id, organizationId: reports.organizationId })
    .from(reports)
    .where(sql`${reports.nextAt} <= ${now.toISOString()}`)
    .orderBy(asc(reports.nextAt))
    .limit(limit)
}
