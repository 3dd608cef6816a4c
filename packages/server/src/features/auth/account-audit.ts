import type { User } from '@bey/contract'
import { audit, type AuditEntry } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PublicCaller } from '../../platform/http/handlers.ts'

export type AccountAct = Pick<AuditEntry, 'diff' | 'target'> & {
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
  user: Pick<User, 'id' | 'email' | 'organizations'>,
  { ip, userAgent, requestId }: PublicCaller,
  act: AccountAct,
): Promise<void> {
  const ids = user.organizations.map(({ id }) => id)
  // In the order of their ids, so that two who write to the same trails never wait for each other.
  for (const organizationId of ids.length > 0 ? ids : [0]) {
    await audit(db, {
      organizationId,
      actor: { type: 'user', id: user.id, display: user.email },
      via: 'console',
      class: 'auth',
      target: { type: 'user', id: user.id, name: user.email },
      ...act,
      ip,
      userAgent,
      requestId,
    })
  }
}

/** Notes in the server's own trail that somebody unknown was refused. Needs `asSystem`. */
export async function auditStranger(
  db: Db,
  { ip, userAgent, requestId }: PublicCaller,
  act: Pick<AuditEntry, 'action' | 'diff'>,
): Promise<void> {
  await audit(db, {
    organizationId: 0,
    actor: { type: 'user', display: 'unknown' },
    via: 'console',
    class: 'auth',
    outcome: 'denied',
    ...act,
    ip,
    userAgent,
    requestId,
  })
}
