import { type ApiKey, roleHas } from '@bey/contract'
import { presentPerson } from '../../platform/present-actor.ts'
import type { KeyRow } from './store.ts'

/** A key as the API shows it. `names` holds what it is limited to, under `type id`. */
export function presentKey(row: KeyRow, names: ReadonlyMap<string, string>, now: Date): ApiKey {
  const role = row.ownerId === null ? row.role : (row.ownerRole ?? 'VIEWER')
  return {
    id: row.id,
    name: row.name,
    start: row.start,
    owner:
      row.ownerId === null
        ? null
        : { id: row.ownerId, name: row.ownerName ?? 'Former member', email: row.ownerEmail ?? '' },
    madeBy: presentPerson(row.madeBy, row.madeByName, row.madeByEmail),
    role,
    permissions: row.permissions,
    lostPermissions: row.permissions.filter((permission) => !roleHas(role, permission)),
    resources: row.resources.map((each) => ({ ...each, name: names.get(`${each.type} ${each.id}`) ?? null })),
    allowedAddresses: row.allowedAddresses,
    requestsPerMinute: row.requestsPerMinute,
    status: statusOf(row, now),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    previousValidUntil: row.previousValidUntil?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    lastUsedIp: row.lastUsedIp,
  }
}

export function statusOf(
  {
    revokedAt,
    expiresAt,
    previousValidUntil,
  }: Pick<KeyRow, 'revokedAt' | 'expiresAt' | 'previousValidUntil'>,
  now: Date,
): ApiKey['status'] {
  if (revokedAt) return 'revoked'
  if (expiresAt && expiresAt <= now) return 'expired'
  return previousValidUntil ? 'rotating' : 'active'
}
