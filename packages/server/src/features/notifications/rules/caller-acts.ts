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
