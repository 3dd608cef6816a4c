import { isEmail, nameError, type OauthRefusal } from '@bey/contract'
import type { Db } from '../../../platform/db/database.ts'
import type { PublicCaller } from '../../../platform/http/handlers.ts'
import { act as record } from '../../../platform/act.ts'
import { serverTrail } from '../../../platform/audit/refusals.ts'
import { auditAccount, auditStranger } from '../account-audit.ts'
import { loadUser } from '../load-user.ts'
import { insertUser, lookalikeOf } from '../store.ts'
import type { ProviderSettings } from '../../instance/settings.ts'
import type { Identity } from './identity.ts'
import { insertLink, isInvited, linkedUser, noteUse, userByEmail } from './store.ts'

type Outcome = { userId: number; isNew: boolean } | OauthRefusal

/**
 * The user whom an identity signs in: the one it is linked to, or a new one without an organization. An account with the
 * same address is never taken for the same person: its user links it. Where sign-up is by invitation, the address must have
 * one that waits. Refusals are audited.
 */
export async function userOfIdentity(
  db: Db,
  settings: ProviderSettings,
  identity: Identity,
  caller: PublicCaller,
  options: { now: Date; signup: 'open' | 'invite'; developerEmail: string | undefined },
): Promise<Outcome> {
  const method = settings.id
  const linked = await linkedUser(db, identity)
  if (linked !== undefined) {
    await noteUse(db, identity, options.now)
    return { userId: linked, isNew: false }
  }
  const refuse = async (reason: OauthRefusal, userId?: number) => {
    const act = { action: 'session.begin', diff: { method, reason } }
    if (userId === undefined) await auditStranger(db, caller, act)
    else {
      const user = await loadUser(db, userId, options.developerEmail)
      await auditAccount(db, user, caller, { ...act, outcome: 'denied' })
    }
    return reason
  }
  const { email } = identity
  if (email === undefined || !isEmail(email) || !identity.isEmailVerified) return refuse('email_unverified')
  const known = await userByEmail(db, email)
  if (known !== undefined) return refuse('account_exists', known)
  if ((await lookalikeOf(db, email)) !== undefined) return refuse('account_exists')
  // The provider vouches for the address, so that it is they who were invited; the link then makes them a member.
  if (options.signup === 'invite' && !(await isInvited(db, email, options.now)))
    return refuse('signup_closed')
  const name = nameOf(identity)
  const userId = await insertUser(db, { email, name, passwordHash: null })
  await insertLink(db, { provider: settings.id, userId, identity })
  await record(
    db,
    { ...caller, organizationId: serverTrail, user: { id: userId, name, email }, via: 'session' },
    {
      action: 'user.signup',
      class: 'auth',
      target: { type: 'user', id: userId, name: email },
      diff: { method },
    },
  )
  return { userId, isNew: true }
}

/** What the provider calls the person, where it can be a name here; else the address before its at-sign. */
function nameOf({ name, email = '' }: Identity): string {
  const text = name.trim()
  return text !== '' && nameError(text) === undefined ? text : (email.split('@')[0] ?? '').slice(0, 100)
}
