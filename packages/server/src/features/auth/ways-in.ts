import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'

/** Throws `conflict` where the user would be left without a way to sign in: rolls back what took the last one. */
export async function requireAnotherWay(db: Db, userId: number): Promise<void> {
  // Held, so that two removals at once do not take one way each.
  await db.execute(sql`select id from users where id = ${userId} for update`)
  const { rows } = await db.execute<{ has: boolean }>(sql`
    select exists (select 1 from users where id = ${userId} and password_hash is not null)
        or exists (select 1 from passkeys where user_id = ${userId})
        or exists (select 1 from linked_accounts where user_id = ${userId}) as has`)
  if (rows[0]?.has) return
  throw new AppError(
    'conflict',
    'This is your only way to sign in. Set a password, add a passkey or link an account first.',
  )
}

/**
 * Throws `conflict` where one of the user's organizations would keep them out from now on: it asks for a second factor, or
 * admits no password, and nothing else is left. Rolls back what took the last one.
 */
export async function requireAdmissionStays(db: Db, userId: number): Promise<void> {
  const { rows } = await db.execute<{ name: string; lacksFactor: boolean }>(sql`
    select o.name, p.two_factor_from <= now() and not has_second_factor(${userId}) as "lacksFactor"
    from memberships m
    join organizations o on o.id = m.organization_id
    join organization_policies p on p.organization_id = m.organization_id
    where m.user_id = ${userId} and (
      p.two_factor_from <= now() and not has_second_factor(${userId})
      or not p.allows_password
        and not exists (select 1 from passkeys where user_id = ${userId})
        and not exists (select 1 from linked_accounts where user_id = ${userId})
    )
    order by m.role = 'OWNER' desc, o.name limit 1`)
  const [found] = rows
  if (found === undefined) return
  throw new AppError(
    'conflict',
    found.lacksFactor
      ? `${found.name} asks its members for a second factor, and this is your only one: you would lock yourself out. Add another one first.`
      : `${found.name} admits no password, and this is your only other way to sign in: you would lock yourself out. Add another one first.`,
  )
}

/** Whether the user has a password. */
export async function hasPassword(db: Db, userId: number): Promise<boolean> {
  const { rows } = await db.execute<{ has: boolean }>(
    sql`select password_hash is not null as has from users where id = ${userId}`,
  )
  return rows[0]?.has === true
}
