import type { OauthProvider } from '@bey/contract'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { invitations } from '../../../tables/invitations.ts'
import { linkedAccounts } from '../../../tables/linked-accounts.ts'
import { users } from '../../../tables/users.ts'
import type { Identity } from './identity.ts'

export async function linkedUser(
  db: Db,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<number | undefined> {
  const rows = await db
    .select({ userId: linkedAccounts.userId })
    .from(linkedAccounts)
    .where(and(eq(linkedAccounts.issuer, issuer), eq(linkedAccounts.subject, subject)))
  return rows[0]?.userId
}

export async function noteUse(db: Db, { issuer, subject }: Identity, now: Date): Promise<void> {
  await db
    .update(linkedAccounts)
    .set({ lastUsedAt: now })
    .where(and(eq(linkedAccounts.issuer, issuer), eq(linkedAccounts.subject, subject)))
}

/** False where the account is linked already, or the user has another one of the provider. */
export async function insertLink(
  db: Db,
  values: { provider: OauthProvider; userId: number; identity: Identity },
): Promise<boolean> {
  const { provider, userId, identity } = values
  const { issuer, subject, display } = identity
  const rows = await db
    .insert(linkedAccounts)
    .values({ issuer, subject, userId, provider, display: display.slice(0, 254) })
    .onConflictDoNothing()
    .returning({ userId: linkedAccounts.userId })
  return rows.length === 1
}

/** By age. */
export async function linksOf(db: Db, userId: number) {
  return db
    .select({
      provider: linkedAccounts.provider,
      display: linkedAccounts.display,
      createdAt: linkedAccounts.createdAt,
      lastUsedAt: linkedAccounts.lastUsedAt,
    })
    .from(linkedAccounts)
    .where(eq(linkedAccounts.userId, userId))
    .orderBy(asc(linkedAccounts.createdAt))
}

export async function deleteLink(
  db: Db,
  userId: number,
  provider: OauthProvider,
): Promise<string | undefined> {
  const rows = await db
    .delete(linkedAccounts)
    .where(and(eq(linkedAccounts.userId, userId), eq(linkedAccounts.provider, provider)))
    .returning({ display: linkedAccounts.display })
  return rows[0]?.display
}

export async function userByEmail(db: Db, email: string): Promise<number | undefined> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  return rows[0]?.id
}

/** Whether an invitation of any organization waits for an address. */
export async function isInvited(db: Db, email: string, now: Date): Promise<boolean> {
  const rows = await db
    .select({ id: invitations.id })
    .from(invitations)
    .where(
      and(eq(invitations.email, email), eq(invitations.status, 'pending'), gt(invitations.expiresAt, now)),
    )
    .limit(1)
  return rows.length === 1
}

/** Whether an error says that the address was taken meanwhile. */
export function isEmailTaken(error: unknown): boolean {
  return violatedConstraint(error) === 'users_email_key'
}
