import type { Capacity } from '@bey/contract'
import type { PodEntry } from '../watch/entries.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { Usage } from '../metrics/usage.ts'

export type ClusterFigures = {
  nodes: { total: number; ready: number }
  pods: { total: number; byPhase: Record<string, number> }
  capacity: Capacity
}

/** What pods request of the node that they are bound to; pods that have ended request nothing. */
export type Requested = { cpuMillicores: number; memoryBytes: number; pods: number }

/** By node name, in one pass over the pods. */
export function requestedByNode(pods: Iterable<PodEntry>): Map<string, Requested> {
  const byNode = new Map<string, Requested>()
  for (const pod of pods) {
    if (pod.node === null || pod.isTerminal) continue
    let sum = byNode.get(pod.node)
    if (!sum) byNode.set(pod.node, (sum = { cpuMillicores: 0, memoryBytes: 0, pods: 0 }))
    sum.cpuMillicores += pod.cpuMillicores
    sum.memoryBytes += pod.memoryBytes
    sum.pods += 1
  }
  return byNode
}

/** Counts and capacity of one cluster, from its nodes and pods. */
export function clusterFigures(cache: ClusterCache, usage: Usage | undefined): ClusterFigures {
  const nodes = [...cache.table('nodes').values()]
  const byPhase: Record<string, number> = {}
  for (const { phase } of cache.table('pods').values()) byPhase[phase] = (byPhase[phase] ?? 0) + 1
  const requested = { cpuMillicores: 0, memoryBytes: 0, pods: 0 }
  for (const each of requestedByNode(cache.table('pods').values()).values()) {
    requested.cpuMillicores += each.cpuMillicores
    requested.memoryBytes += each.memoryBytes
    requested.pods += each.pods
  }
  const allocatable = (of: 'cpuMillicores' | 'memoryBytes' | 'maxPods') =>
    nodes.reduce((sum, node) => sum + node[of], 0)
  const used = (of: 'cpuMillicores' | 'memoryBytes') =>
    usage ? [...usage.nodes.values()].reduce((sum, node) => sum + node[of], 0) : null
  return {
    nodes: { total: nodes.length, ready: nodes.filter((node) => node.isReady).length },
    pods: { total: cache.table('pods').size(), byPhase },
    capacity: {
      cpuMillicores: {
        requested: requested.cpuMillicores,
        allocatable: allocatable('cpuMillicores'),
        used: used('cpuMillicores'),
      },
      memoryBytes: {
        requested: requested.memoryBytes,
        allocatable: allocatable('memoryBytes'),
        used: used('memoryBytes'),
      },
      storageBytes: claimedStorage(cache),
      pods: { requested: requested.pods, allocatable: allocatable('maxPods') },
    },
  }
}

/** As the list of claims counts them: all that exist, whether or not a pod mounts them. */
function claimedStorage(cache: ClusterCache): Capacity['storageBytes'] {
  if (cache.failures(['claims']).length > 0) return null
  const claims = [...cache.table('claims').values()]
  return {
    requested: claims.reduce((sum, { requestedBytes }) => sum + requestedBytes, 0),
    bound: claims.reduce((sum, { boundBytes }) => sum + boundBytes, 0),
  }
}
