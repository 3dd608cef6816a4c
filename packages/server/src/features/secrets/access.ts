import { accessIncludes, type Role, roleHas, type SecretAccess } from '@bey/contract'
import { AppError } from '../../platform/errors.ts'
import type { SecretGrantRow } from './store.ts'

/** Whose access is asked for; `keyId` where they come with an API key. */
export type Subject = { userId: number; role: Role; keyId?: string | undefined }

/**
 * What somebody may do with a secret: owners and admins all, others what was granted to them, to their role or to the
 * API key that they come with.
 */
export function accessOf(subject: Subject, grants: readonly GrantOf[]): SecretAccess | null {
  if (isMighty(subject.role)) return 'manage'
  const held = grants
    .filter((grant) => isGrantedTo(grant, subject))
    .map(({ access }) => access)
    .filter((access) => access === 'use' || roleHas(subject.role, 'secrets.reveal'))
  return held.reduce<SecretAccess | null>(
    (best, access) => (best !== null && accessIncludes(best, access) ? best : access),
    null,
  )
}

export type GrantOf = Pick<SecretGrantRow, 'subjectType' | 'subjectId' | 'access'>

/** Throws AppError `forbidden` with who can help, unless the held access includes the wanted one. */
export function requireAccess(held: SecretAccess | null, wanted: SecretAccess, name: string): void {
  if (held === null || !accessIncludes(held, wanted)) throw accessDenied(wanted, name)
}

/** Says who can help. */
export function accessDenied(wanted: SecretAccess, name: string): AppError {
  const what = wanted === 'manage' ? 'manage' : wanted === 'read' ? 'read the value of' : 'use'
  return new AppError(
    'forbidden',
    `You may not ${what} the secret "${name}". Its managers, and owners and admins of the organization, can grant it to you.`,
  )
}

function isMighty(role: Role): boolean {
  return role === 'OWNER' || role === 'ADMIN'
}

function isGrantedTo({ subjectType, subjectId }: GrantOf, { userId, role, keyId }: Subject): boolean {
  if (subjectType === 'api_key') return keyId !== undefined && subjectId === keyId
  if (subjectType === 'user') return subjectId === String(userId)
  return subjectType === 'role' && subjectId === role
}
