import { act } from '../../platform/act.ts'
import { roles, type SecretAccess, type SecretSubjectType } from '@bey/contract'
import { AppError } from '../../platform/errors.ts'
import { requireAccess } from './access.ts'
import { openLockedSecret, openSecret, type SecretParts, secretTarget, type Who } from './parts.ts'
import { presentGrant } from './present.ts'
import { listGrants, replaceGrants } from './store.ts'
import { findLiveKeyIds, listMembers } from './use-store.ts'

export type GivenGrant = { subjectType: SecretSubjectType; subjectId: string; access: SecretAccess }

/** Who may use, read or manage a secret. */
export function createSecretGrants({ database }: SecretParts) {
  return {
    list(id: string, who: Who) {
      return database.readTenant(who.organizationId, async (db) => {
        await openSecret(db, id, who)
        return { grants: (await listGrants(db, who.organizationId, [id])).map(presentGrant) }
      })
    },

    replace(id: string, given: readonly GivenGrant[], who: Who) {
      const { organizationId, user } = who
      return database.withTenant(organizationId, async (db) => {
        const { row, access } = await openLockedSecret(db, id, who)
        requireAccess(access, 'manage', row.name)
        const before = await listGrants(db, organizationId, [id])
        const keyIds = given.flatMap((each) => (each.subjectType === 'api_key' ? [each.subjectId] : []))
        const [members, keys] = await Promise.all([
          listMembers(db, organizationId),
          findLiveKeyIds(db, organizationId, keyIds),
        ])
        requireKnown(given, {
          role: new Set<string>(roles),
          user: new Set(members.map((member) => String(member.userId))),
          api_key: keys,
        })
        await replaceGrants(
          db,
          organizationId,
          id,
          given.map((grant) => ({ ...grant, organizationId, secretId: id, grantedBy: user.id })),
        )
        const grants = await listGrants(db, organizationId, [id])
        const diff = { grants: { from: before.map(wordsOfGrant), to: grants.map(wordsOfGrant) } }
        await act(db, who, {
          action: 'secret.grants.update',
          class: 'access',
          diff,
          target: secretTarget(row),
        })
        return { grants: grants.map(presentGrant) }
      })
    },
  }
}

/** Throws AppError naming the grant whose subject is not of this organization, or is there twice. */
function requireKnown(
  given: readonly GivenGrant[],
  known: Readonly<Record<SecretSubjectType, ReadonlySet<string>>>,
): void {
  const seen = new Set<string>()
  for (const [index, { subjectType, subjectId }] of given.entries()) {
    const key = `${subjectType}:${subjectId}`
    const message = !known[subjectType].has(subjectId)
      ? `There is no ${subjectType === 'api_key' ? 'API key' : subjectType} "${subjectId}" in this organization.`
      : seen.has(key)
        ? 'This one is named twice.'
        : undefined
    seen.add(key)
    if (message === undefined) continue
    const path = `grants.${index}.subjectId`
    throw new AppError('invalid_request', `${path}: ${message}`, { errors: [{ path, message }] })
  }
}

function wordsOfGrant({ subjectType, subjectId, access }: GivenGrant): string {
  return `${subjectType} ${subjectId}: ${access}`
}
