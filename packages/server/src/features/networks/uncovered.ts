import type { NetworkParts } from './parts.ts'
import { wantedPolicies } from './plan.ts'
import { listPolicies } from './policy-rows.ts'

type Subject = Parameters<typeof wantedPolicies>[2] & { organizationId: number; id: string }

/**
 * Namespaces, as `cluster: namespace`, in which a network is to have a policy and none was ever written: one that was made
 * since in a cluster that takes part as a whole. Clusters that do not tell their namespaces are left out.
 */
export async function uncoveredPlaces(
  parts: Pick<NetworkParts, 'database' | 'clusters' | 'cache'>,
  subject: Subject,
): Promise<string[]> {
  const { organizationId, id } = subject
  const { wanted } = await wantedPolicies(parts, organizationId, subject)
  const kept = await parts.database.readTenant(organizationId, (db) => listPolicies(db, organizationId, id))
  const missing = wanted.filter(
    (each) =>
      !kept.some(
        ({ clusterId, namespace, name }) =>
          clusterId === each.clusterId && namespace === each.namespace && name === each.name,
      ),
  )
  return Promise.all(
    missing.map(async ({ clusterId, namespace }) => {
      const cluster = await parts.clusters.find(organizationId, clusterId)
      return `${cluster?.title ?? clusterId}: ${namespace}`
    }),
  )
}
