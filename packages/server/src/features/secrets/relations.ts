import { entityResourceId, type ListedEntity, objectResourceId } from '@bey/contract'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import type { RelationSource } from '../../platform/inventory.ts'
import { secretSyncs } from '../../tables/secret-syncs.ts'
import { secretUses } from '../../tables/secret-uses.ts'
import { secrets } from '../../tables/secrets.ts'

const maxRows = 20_000

/** Things of Bey that read secrets; whoever revealed one does not need it. */
const readers: Readonly<Record<string, ListedEntity>> = {
  workflow: 'workflow',
  database: 'database',
  webhook: 'webhook',
}

/** What has read secrets, and the Kubernetes secrets that are kept equal to them. */
export function secretRelations({ database }: { database: Database }): RelationSource {
  return {
    list: ({ organizationId }) =>
      database.readTenant(organizationId, async (db) => {
        const uses = await db
          .select({
            secretId: secretUses.secretId,
            type: secretUses.subjectType,
            subjectId: secretUses.subjectId,
          })
          .from(secretUses)
          .innerJoin(secrets, eq(secrets.id, secretUses.secretId))
          .where(
            and(
              eq(secretUses.organizationId, organizationId),
              inArray(secretUses.subjectType, Object.keys(readers)),
              ne(secrets.status, 'deleted'),
            ),
          )
          .limit(maxRows)
        const copies = await db
          .select({
            secretId: secretSyncs.secretId,
            clusterId: secretSyncs.clusterId,
            namespace: secretSyncs.namespace,
            name: secretSyncs.name,
            onRemoval: secretSyncs.onRemoval,
          })
          .from(secretSyncs)
          .where(eq(secretSyncs.organizationId, organizationId))
          .limit(maxRows)
        return {
          relations: [
            ...uses.flatMap(({ secretId, type, subjectId }) => {
              const entity = readers[type]
              if (!entity) return []
              return [
                {
                  from: entityResourceId(entity, subjectId),
                  to: entityResourceId('secret', secretId),
                  verb: 'reads_secret' as const,
                },
              ]
            }),
            ...copies.map(({ secretId, onRemoval, ...place }) => ({
              from: objectResourceId({ kind: 'k8s-secret', ...place }),
              to: entityResourceId('secret', secretId),
              verb: onRemoval === 'delete' ? ('copied_from' as const) : ('updated_from' as const),
            })),
          ],
          gaps: [],
        }
      }),
  }
}
