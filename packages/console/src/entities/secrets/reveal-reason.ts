import type { Role, Secret } from '@bey/contract'
import { accessIncludes, deniedReason } from '@bey/contract'

/** Why the user may not see the value, and what helps; undefined if they may. */
export function revealReason(secret: Secret, role: Role): string | undefined {
  const denied = deniedReason(role, 'secrets.reveal')
  if (denied) return denied
  if (secret.access === null || !accessIncludes(secret.access, 'read')) {
    return 'Reading this value was not granted to you. A manager of the secret, or an admin, can do so on its Access tab.'
  }
  if (secret.status === 'disabled') return 'The secret is disabled. Enable it in its settings first.'
  if (secret.status === 'pending_deletion') return 'The secret is being deleted. Restore it first.'
  return undefined
}
