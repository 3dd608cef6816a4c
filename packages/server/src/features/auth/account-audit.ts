import type { User } from '@bey/contract'
import { act as record, type Act } from '../../platform/act.ts'
import { serverTrail } from '../../platform/audit/refusals.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PublicCaller } from '../../platform/http/handlers.ts'

export type AccountAct = Pick<Act, 'diff' | 'target'> & {
  action: string
  class?: 'auth' | 'update'
  outcome?: 'failure' | 'denied'
}

/**
 * An account is seen in every organization of its user, so each has the act in its trail; without one, the server's own.
 * Needs `asSystem`.
 */
export async function auditAccount(
  db: Db,
  user: Pick<User, 'id' | 'name' | 'email' | 'organizations'>,
  caller: PublicCaller,
  act: AccountAct,
): Promise<void> {
  const ids = user.organizations.map(({ id }) => id)
  // In the order of their ids, so that two who write to the same trails never wait for each other.
  for (const organizationId of ids.length > 0 ? ids : [serverTrail]) {
    const who = { ...caller, organizationId, user, via: 'session' } as const
    const target = { type: 'user', id: user.id, name: user.email }
    await record(db, who, { class: 'auth', target, ...act })
  }
}

/** Whoever uses an address or a code that belongs to no account. */
export const nobodyKnown = { type: 'user', name: 'unknown', email: null } as const

/** Notes in the server's own trail that somebody unknown was refused. Needs `asSystem`. */
export async function auditStranger(
  db: Db,
  caller: PublicCaller,
  act: Pick<Act, 'action' | 'diff'>,
): Promise<void> {
  const who = { ...caller, organizationId: serverTrail, actor: nobodyKnown, via: 'console' } as const
  await record(db, who, { class: 'auth', outcome: 'denied', ...act })
}
