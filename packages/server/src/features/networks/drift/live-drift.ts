import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

import { type Cluster, ClusterFailure } from '../../../platform/clusters/open-cluster.ts'
import { findPolicy } from '../cluster-policies.ts'
import type { PlacedPolicy, Spec } from '../policy-rows.ts'

/** How a policy is in its cluster now, against what was written there. `found`: the same text for the same contents. */
export type LiveDrift = { spec: Spec | null; found: string; isDrifted: boolean }

/**
 * Reads a policy of a network from its cluster. Throws ClusterFailure, also where the policy has lost the label of the
 * network, since then it is not the network's any more.
 */
export async function readDrift(
  cluster: Cluster,
  place: Pick<PlacedPolicy, 'kind' | 'namespace' | 'name'> & { written: Spec },
  networkId: string,
): Promise<LiveDrift> {
  const live = await findPolicy(cluster, place)
  if (live === undefined) return { spec: null, found: 'missing', isDrifted: true }
  if (live.networkId !== networkId) {
    throw new ClusterFailure(
      `The policy ${place.namespace}/${place.name} has lost the label of this network, so it is somebody else's now. Delete or rename it in the cluster.`,
    )
  }
  const { spec } = live
  return { spec, found: fingerprintOf(spec), isDrifted: !isDeepStrictEqual(spec, place.written) }
}

/** SHA-256 of the contents, whatever the order of their members. */
function fingerprintOf(spec: Spec): string {
  const text = JSON.stringify(spec, (_key, item: unknown) =>
    item !== null && typeof item === 'object' && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
  return createHash('sha256').update(text).digest('hex')
}
