import { compilePolicies, type CompiledPolicies } from '@bey/contract/reachability/compile'
import type { ClusterSnapshot } from '@bey/contract/reachability/snapshot'
import type { ClusterCache } from '../../kubernetes/watch/cluster-cache.ts'
import type { OtherPolicies } from './other-policies.ts'
import { reachabilityKinds, snapshotOf } from './snapshot.ts'

type Known = {
  cached: ClusterCache
  version: number
  others: OtherPolicies
  text: string
  compiled: CompiledPolicies
}

/** Clusters whose compiled policies are kept; beyond them the one that was asked longest ago is forgotten. */
const mostClusters = 20

/**
 * Compiled policies of clusters, each as of the newest version of its watched objects. Most changes, such as those of the
 * status of a pod, concern no policy: then what was compiled before is kept.
 */
export function createCompiledClusters() {
  const known = new Map<number, Known>()
  return (cached: ClusterCache, others: OtherPolicies): CompiledPolicies => {
    const { clusterId } = cached
    const version = cached.version(reachabilityKinds)
    const before = known.get(clusterId)
    if (before?.cached === cached && before.version === version && before.others === others)
      return before.compiled
    const { adminPolicies, ciliumPolicies, plugin } = others
    const snapshot = { ...snapshotOf(cached), adminPolicies, ciliumPolicies, plugin }
    const text = textOf(snapshot)
    const compiled = before?.text === text ? before.compiled : compilePolicies(snapshot)
    known.delete(clusterId)
    known.set(clusterId, { cached, version, others, text, compiled })
    const [oldest] = known.keys()
    if (known.size > mostClusters && oldest !== undefined) known.delete(oldest)
    return compiled
  }
}

const textOf = (snapshot: ClusterSnapshot) => JSON.stringify(snapshot)
