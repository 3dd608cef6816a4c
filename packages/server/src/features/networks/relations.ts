import { entityResourceId, objectResourceId, type Relation } from '@bey/contract'
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import type { RelationSource } from '../../platform/inventory.ts'
import { networkAttachments, networkPolicies, networks } from '../../tables/networks.ts'

const maxRows = 20_000

/** What is attached to networks, and the policies that Bey keeps in clusters for them. */
export function networkRelations({ database }: { database: Database }): RelationSource {
  return {
    list: ({ organizationId }) =>
      database.readTenant(organizationId, async (db) => {
        const attachments = await db
          .select({
            networkId: networkAttachments.networkId,
            clusterId: networkAttachments.clusterId,
            namespace: networkAttachments.namespace,
            databaseId: networkAttachments.databaseId,
          })
          .from(networkAttachments)
          .innerJoin(networks, eq(networks.id, networkAttachments.networkId))
          .where(and(eq(networkAttachments.organizationId, organizationId), isNull(networks.deletedAt)))
          .limit(maxRows)
        const policies = await db
          .select({
            networkId: networkPolicies.networkId,
            clusterId: networkPolicies.clusterId,
            namespace: networkPolicies.namespace,
            name: networkPolicies.name,
          })
          .from(networkPolicies)
          .innerJoin(networks, eq(networks.id, networkPolicies.networkId))
          .where(and(eq(networkPolicies.organizationId, organizationId), isNull(networks.deletedAt)))
          .limit(maxRows)
        return {
          relations: [
            ...attachments.flatMap(attachmentRelation),
            ...policies.map(({ networkId, ...place }) => ({
              from: objectResourceId({ kind: 'networkpolicy', ...place }),
              to: entityResourceId('network', networkId),
              verb: 'belongs_to' as const,
            })),
          ],
          gaps: [],
        }
      }),
  }
}

type Attachment = {
  networkId: string
  clusterId: number | null
  namespace: string
  databaseId: string | null
}

function attachmentRelation({ networkId, clusterId, namespace, databaseId }: Attachment): Relation[] {
  const to = entityResourceId('network', networkId)
  if (databaseId !== null)
    return [{ from: entityResourceId('database', databaseId), to, verb: 'attached_to' }]
  if (clusterId === null) return []
  const from =
    namespace === ''
      ? entityResourceId('cluster', clusterId)
      : objectResourceId({ kind: 'namespace', clusterId, namespace: '', name: namespace })
  return [{ from, to, verb: 'attached_to' }]
}
