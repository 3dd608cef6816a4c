import type { ReachabilityGate } from '@bey/contract'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Database } from '../../../platform/db/database.ts'
import { networkPolicies, networks } from '../../../tables/networks.ts'

/** Names at each gate the network for which Bey keeps the policy that would have to be changed. */
export async function withNetworks(
  database: Database,
  organizationId: number,
  clusterId: number,
  gates: readonly ReachabilityGate[],
): Promise<ReachabilityGate[]> {
  const names = gates.flatMap(({ change }) => change?.policy?.name ?? [])
  if (names.length === 0) return [...gates]
  const kept = await database.readTenant(organizationId, (db) =>
    db
      .select({
        namespace: networkPolicies.namespace,
        policy: networkPolicies.name,
        id: networks.id,
        name: networks.name,
      })
      .from(networkPolicies)
      .innerJoin(networks, eq(networks.id, networkPolicies.networkId))
      .where(
        and(
          eq(networkPolicies.organizationId, organizationId),
          eq(networkPolicies.clusterId, clusterId),
          inArray(networkPolicies.name, names),
          isNull(networks.deletedAt),
        ),
      ),
  )
  return gates.map((gate) => {
    const policy = gate.change?.policy
    const own = kept.find((each) => each.policy === policy?.name && each.namespace === policy.namespace)
    if (!gate.change || own === undefined || policy?.kind !== 'NetworkPolicy') return gate
    return { ...gate, change: { ...gate.change, network: { id: own.id, name: own.name } } }
  })
}
