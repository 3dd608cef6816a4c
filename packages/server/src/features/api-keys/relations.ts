import { entityResourceId } from '@bey/contract'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import type { RelationSource } from '../../platform/inventory.ts'
import { apiKeys } from '../../tables/api-keys.ts'

const maxRows = 10_000

/** Personal keys, which end with the membership of their owner. */
export function apiKeyRelations({ database }: { database: Database }): RelationSource {
  return {
    list: ({ organizationId }) =>
      database.readTenant(organizationId, async (db) => {
        const rows = await db
          .select({ id: apiKeys.id, ownerId: apiKeys.ownerId })
          .from(apiKeys)
          .where(
            and(
              eq(apiKeys.organizationId, organizationId),
              isNull(apiKeys.revokedAt),
              isNotNull(apiKeys.ownerId),
            ),
          )
          .limit(maxRows)
        return {
          relations: rows.flatMap(({ id, ownerId }) =>
            ownerId === null
              ? []
              : [
                  {
                    from: entityResourceId('apiKey', id),
                    to: entityResourceId('member', ownerId),
                    verb: 'held_by' as const,
                  },
                ],
          ),
          gaps: [],
        }
      }),
  }
}
