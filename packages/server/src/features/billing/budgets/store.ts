import { and, asc, eq, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { budgets } from '../../../tables/budgets.ts'
import { users } from '../../../tables/users.ts'

export type BudgetRow = Awaited<ReturnType<typeof selectBudgets>>[number]

const columns = {
  id: budgets.id,
  organizationId: budgets.organizationId,
  name: budgets.name,
  amount: budgets.amount,
  currency: budgets.currency,
  scopeBy: budgets.scopeBy,
  scopeKey: budgets.scopeKey,
  action: budgets.action,
  state: budgets.state,
  stateSince: budgets.stateSince,
  month: budgets.month,
  reached: budgets.reached,
  liftedMonth: budgets.liftedMonth,
  createdBy: budgets.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  version: budgets.version,
}

function selectBudgets(db: Db) {
  return db.select(columns).from(budgets).leftJoin(users, eq(users.id, budgets.createdBy)).$dynamic()
}

const byId = (organizationId: number, id: string) =>
  and(eq(budgets.organizationId, organizationId), eq(budgets.id, id))

/** By name. */
export function allBudgets(db: Db, organizationId: number) {
  return selectBudgets(db)
    .where(eq(budgets.organizationId, organizationId))
    .orderBy(asc(sql`lower(${budgets.name})`), asc(budgets.id))
}

/** Keeps the budget from being changed by others until the transaction ends. */
export async function lockBudget(db: Db, organizationId: number, id: string): Promise<BudgetRow | undefined> {
  const [row] = await selectBudgets(db).where(byId(organizationId, id)).for('update', { of: budgets })
  return row
}

export async function countBudgets(db: Db, organizationId: number): Promise<number> {
  return db.$count(budgets, eq(budgets.organizationId, organizationId))
}

export async function insertBudget(db: Db, values: typeof budgets.$inferInsert): Promise<void> {
  await db.insert(budgets).values(values)
}

export async function updateBudget(
  db: Db,
  organizationId: number,
  id: string,
  values: Partial<typeof budgets.$inferInsert>,
): Promise<void> {
  await db.update(budgets).set(values).where(byId(organizationId, id))
}

export async function deleteBudget(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(budgets).where(byId(organizationId, id))
}

/** Takes budgets whose look is due, and sets the next. Over all organizations. */
export async function claimBudgets(
  db: Db,
  now: Date,
  everyMs: number,
  limit: number,
): Promise<{ id: string; organizationId: number }[]> {
  const next = new Date(now.getTime() + everyMs).toISOString()
  const { rows } = await db.execute<{ id: string; organizationId: number }>(sql`
    with due as (
      select id from budgets where check_at <= ${now.toISOString()}::timestamptz
      order by check_at limit ${limit} for update skip locked
    )
    update budgets b set check_at = ${next}::timestamptz from due where b.id = due.id
    returning b.id, b.organization_id as "organizationId"`)
  return rows
}

/** What a budget can be for is named as when it was last metered. */
export async function scopeName(
  db: Db,
  organizationId: number,
  by: 'cluster' | 'owner',
  key: string,
): Promise<string | undefined> {
  const found =
    by === 'cluster'
      ? sql`select cluster_name as name from usage_subjects where organization_id = ${organizationId}
          and cluster_id::text = ${key} order by id desc limit 1`
      : sql`select owner_name as name from usage_subjects where organization_id = ${organizationId}
          and owner_id::text = ${key} order by id desc limit 1`
  const { rows } = await db.execute<{ name: string | null }>(found)
  return rows[0]?.name ?? undefined
}

/** Names of the owners of an organization, up to 50. */
export async function ownersOf(db: Db, organizationId: number): Promise<{ id: number; name: string }[]> {
  const { rows } = await db.execute<{ id: number; name: string }>(sql`
    select u.id, u.name from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.role = 'OWNER' order by u.name limit 50`)
  return rows
}
