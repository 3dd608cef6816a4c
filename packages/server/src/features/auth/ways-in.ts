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

/** Whether the user has a password. */
export async function hasPassword(db: Db, userId: number): Promise<boolean> {
  const { rows } = await db.execute<{ has: boolean }>(
    sql`select password_hash is not null as has from users where id = ${userId}`,
  )
  return rows[0]?.has === true
}
