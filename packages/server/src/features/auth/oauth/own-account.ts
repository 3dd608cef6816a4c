import type { OauthRefusal } from '@bey/contract'
import { and, eq, gt } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import type { PublicCaller } from '../../../platform/http/handlers.ts'
import { sessions } from '../../../tables/sessions.ts'
import type { ProviderSettings } from '../../instance/settings.ts'
import { auditAccount } from '../account-audit.ts'
import { loadUser } from '../load-user.ts'
import { confirmSession } from '../two-factor/step-up.ts'
import type { Identity } from './identity.ts'
import { insertLink, linkedUser, noteUse } from './store.ts'

/** Whose session asked the provider. */
export type Own = { userId: number; sessionId: string; now: Date; developerEmail: string | undefined }

/** Links an account of a provider to the user who asked for it; answers why not. */
export async function linkIdentity(
  db: Db,
  { id: provider }: ProviderSettings,
  identity: Identity,
  caller: PublicCaller,
  own: Own,
): Promise<OauthRefusal | undefined> {
  if (!(await isLive(db, own))) return 'session_ended'
  const user = await loadUser(db, own.userId, own.developerEmail)
  const holder = await linkedUser(db, identity)
  const isLinked = holder === undefined && (await insertLink(db, { provider, userId: user.id, identity }))
  const refusal = isLinked ? undefined : holder === undefined ? 'provider_taken' : 'already_linked'
  await auditAccount(db, user, caller, {
    action: 'user.link_account',
    diff: { provider, account: identity.display, ...(refusal && { reason: refusal }) },
    ...(refusal && { outcome: 'denied' }),
  })
  return refusal
}

/** Confirms the session that asked, where the provider names the account that is linked to its user. */
export async function confirmByIdentity(
  db: Db,
  { id: provider }: ProviderSettings,
  identity: Identity,
  caller: PublicCaller,
  own: Own,
): Promise<OauthRefusal | undefined> {
  if (!(await isLive(db, own))) return 'session_ended'
  const user = await loadUser(db, own.userId, own.developerEmail)
  const isOwn = (await linkedUser(db, identity)) === user.id
  if (isOwn) {
    await noteUse(db, identity, own.now)
    await confirmSession(db, own.sessionId, own.now)
  }
  await auditAccount(db, user, caller, {
    action: 'session.confirm',
    diff: { method: provider },
    ...(isOwn ? {} : { outcome: 'denied' }),
  })
  return isOwn ? undefined : 'other_account'
}

async function isLive(db: Db, { sessionId, userId, now }: Own): Promise<boolean> {
  const found = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .for('update')
  return found.length === 1
}
