import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Permission } from '@bey/contract'
import type { DemoPart } from '../../platform/demo.ts'
import { apiKeys, apiKeySecrets } from '../../tables/api-keys.ts'

const dayMs = 86_400_000
const keys: readonly {
  name: string
  permissions: Permission[]
  endsInDays: number | null
  isRevoked?: true
}[] = [
  {
    name: 'Deployments',
    permissions: ['clusters.read', 'kubernetes.read', 'kubernetes.write'],
    endsInDays: 76,
  },
  { name: 'Grafana', permissions: ['clusters.read', 'kubernetes.read'], endsInDays: 9 },
  { name: 'Former backup script', permissions: ['clusters.read'], endsInDays: null, isRevoked: true },
]

/** Keys of the organization whose secrets were thrown away: none of them opens anything. */
export const apiKeysDemo: DemoPart = async (db, { organizationId, owner, now, random }) => {
  for (const { name, permissions, endsInDays, isRevoked } of keys) {
    const id = randomUUID()
    const createdAt = new Date(now.getTime() - 14 * dayMs)
    await db.insert(apiKeys).values({
      id,
      organizationId,
      name,
      madeBy: owner.id,
      role: 'ADMIN',
      permissions,
      createdAt,
      expiresAt: endsInDays === null ? null : new Date(now.getTime() + endsInDays * dayMs),
      revokedAt: isRevoked ? new Date(now.getTime() - 4 * dayMs) : null,
      lastUsedAt: isRevoked ? null : new Date(now.getTime() - random() * dayMs),
    })
    await db.insert(apiKeySecrets).values({
      id: randomUUID(),
      organizationId,
      keyId: id,
      // Of random bytes that are not kept: no token has this hash.
      tokenHash: createHash('sha256').update(randomBytes(32)).digest(),
      start: 'bey_demo',
      createdAt,
    })
  }
}
