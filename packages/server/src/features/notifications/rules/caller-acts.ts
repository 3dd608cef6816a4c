import { audit, type AuditEntry } from '../../../platform/audit/audit.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { TenantCaller } from '../../../platform/http/handlers.ts'
import { whyNotNow } from '../../../platform/keys/key-rights.ts'

/** Throws AppError `forbidden` for a caller who may not manage what belongs to the organization. */
export function requireManager(
  { role }: TenantCaller,
  owner: 'organization' | 'mine',
  what = 'changes a rule',
): void {
  const reason = owner === 'mine' ? undefined : whyNotNow(role, 'notifications.manage')
  if (reason !== undefined) throw new AppError('forbidden', `This ${what} of the organization. ${reason}`)
}

/** The audit entry of what a caller did to a rule or a channel. */
export function recordAct(
  db: Db,
  { organizationId, user, ip, userAgent, requestId }: TenantCaller,
  act: Pick<AuditEntry, 'action' | 'class' | 'diff'>,
  id: string,
  name: string,
): Promise<void> {
  const type = act.action.split('.')[0] ?? ''
  return audit(db, {
    organizationId,
    actor: { type: 'user', id: user.id, display: user.email },
    via: 'console',
    ip,
    userAgent,
    requestId,
    target: { type, id, name },
    ...act,
  })
}
