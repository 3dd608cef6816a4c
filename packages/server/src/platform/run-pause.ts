import { budgetGraceMs } from '@bey/contract/billing/budget-states'
import { sql } from 'drizzle-orm'

import type { Db } from './db/database.ts'
import { AppError } from './errors.ts'

/** An SQL condition: a budget of the organization in this column pauses new runs. */
export const isPausedSql = (organizationColumn: string) =>
  `exists (select 1 from budgets b where b.organization_id = ${organizationColumn} and b.state = 'enforced')`

export async function isOrganizationPaused(db: Db, organizationId: number): Promise<boolean> {
  const { rows } = await db.execute<{ isPaused: boolean }>(
    sql`select exists (select 1 from budgets where organization_id = ${organizationId} and state = 'enforced') as "isPaused"`,
  )
  return rows[0]?.isPaused === true
}

/**
 * Throws AppError `conflict` while a budget pauses new runs. Only runs of people and of triggers ask: the parts of a run
 * that is under way, and what the server does by itself, such as backups, go on.
 */
export async function requireNoPause(db: Db, organizationId: number): Promise<void> {
  const { rows } = await db.execute<{ name: string; owners: string[] }>(sql`
    select b.name, array(select u.name from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.role = 'OWNER' order by u.name limit 3) as owners
    from budgets b where b.organization_id = ${organizationId} and b.state = 'enforced' order by b.name limit 1`)
  const [budget] = rows
  if (budget === undefined) return
  const who = budget.owners.length === 0 ? 'An owner' : budget.owners.join(' or ')
  throw new AppError(
    'conflict',
    `The budget "${budget.name}" has been exceeded for ${budgetGraceMs / 3_600_000} hours, so no new run starts. ${who} can lift the pause under Billing, Budgets.`,
  )
}
