import type { SecondFactorMethod } from '@bey/contract'
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { memberships } from '../../../tables/memberships.ts'
import { organizationPolicies } from '../../../tables/organization-policies.ts'
import { passkeys } from '../../../tables/passkeys.ts'
import { recoveryCodes } from '../../../tables/recovery-codes.ts'
import { userTotp } from '../../../tables/user-totp.ts'

export type Totp = { secret: Buffer; confirmedAt: Date | null }

/**
 * Second factors that a sign-in of this user must and can be completed with; none where it is not asked for. A passkey by
 * itself is asked for where one of the user's organizations requires a second factor. One of another site than `site` cannot
 * be used any more; undefined: any may be.
 */
export async function secondFactorsOf(
  db: Db,
  userId: number,
  site: string | undefined,
): Promise<SecondFactorMethod[]> {
  const { rows } = await db.execute<{
    totp: boolean
    passkey: boolean
    recovery: boolean
    isRequired: boolean
  }>(sql`
    select
      exists (select 1 from ${userTotp} where user_id = ${userId} and confirmed_at is not null) as totp,
      exists (select 1 from ${passkeys} where user_id = ${userId} and relying_party = coalesce(${site ?? null}, relying_party)) as passkey,
      exists (select 1 from ${recoveryCodes} where user_id = ${userId} and used_at is null) as recovery,
      exists (
        select 1 from ${memberships} m join ${organizationPolicies} p on p.organization_id = m.organization_id
        where m.user_id = ${userId} and p.two_factor_from <= now()
      ) as "isRequired"`)
  const [found] = rows
  if (!found?.totp) return found?.passkey && found.isRequired ? ['passkey'] : []
  return [
    'totp',
    ...(found.passkey ? ['passkey' as const] : []),
    ...(found.recovery ? ['recovery' as const] : []),
  ]
}

export async function totpOf(db: Db, userId: number): Promise<Totp | undefined> {
  const rows = await db
    .select({ secret: userTotp.secret, confirmedAt: userTotp.confirmedAt })
    .from(userTotp)
    .where(eq(userTotp.userId, userId))
  return rows[0]
}

/** Writes a secret that is not confirmed; false where a confirmed one is there already. */
export async function offerTotp(db: Db, userId: number, secret: Buffer): Promise<boolean> {
  const rows = await db
    .insert(userTotp)
    .values({ userId, secret })
    .onConflictDoUpdate({
      target: userTotp.userId,
      set: { secret, lastStep: 0 },
      setWhere: isNull(userTotp.confirmedAt),
    })
    .returning({ userId: userTotp.userId })
  return rows.length === 1
}

/** Uses the code of a time step up: false where that step, or a later one, was used before. */
export async function spendTotpStep(db: Db, userId: number, step: number): Promise<boolean> {
  const rows = await db
    .update(userTotp)
    .set({ lastStep: step })
    .where(and(eq(userTotp.userId, userId), lt(userTotp.lastStep, step)))
    .returning({ userId: userTotp.userId })
  return rows.length === 1
}

/** Whether it was not confirmed before. */
export async function confirmTotp(db: Db, userId: number, now: Date): Promise<boolean> {
  const rows = await db
    .update(userTotp)
    .set({ confirmedAt: now })
    .where(and(eq(userTotp.userId, userId), isNull(userTotp.confirmedAt)))
    .returning({ userId: userTotp.userId })
  return rows.length === 1
}

/** Takes another secret, of which the code of time step `lastStep` was entered. */
export async function replaceTotp(
  db: Db,
  userId: number,
  values: { secret: Buffer; lastStep: number; confirmedAt: Date },
): Promise<void> {
  await db.update(userTotp).set(values).where(eq(userTotp.userId, userId))
}

/** Forgets secret and recovery codes; whether it was on. */
export async function removeTotp(db: Db, userId: number): Promise<boolean> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  const rows = await db
    .delete(userTotp)
    .where(and(eq(userTotp.userId, userId), isNotNull(userTotp.confirmedAt)))
    .returning({ userId: userTotp.userId })
  return rows.length === 1
}

export async function replaceRecoveryCodes(db: Db, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db.insert(recoveryCodes).values(hashes.map((codeHash) => ({ id: uuidv7(), userId, codeHash })))
}

/** Uses a code up: false where it is none of the user's, or was used before. */
export async function spendRecoveryCode(
  db: Db,
  userId: number,
  codeHash: Buffer,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, codeHash),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id })
  return rows.length === 1
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  return db.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
}
