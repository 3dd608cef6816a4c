import type { ClusterSnapshot, PodFacts } from '@bey/contract/reachability/snapshot'
import type { ClusterCache } from '../../kubernetes/watch/cluster-cache.ts'
import type { PodEntry } from '../../kubernetes/watch/entries.ts'
import type { KindName } from '../../kubernetes/watch/kinds.ts'

/** What reachability is computed from. */
export const reachabilityKinds: readonly KindName[] = [
  'namespaces',
  'pods',
  'services',
  'policies',
  'nodes',
  'replicasets',
  'jobs',
]

type Tables = Pick<ClusterCache, 'table'>

/** What made a pod: the Deployment rather than its ReplicaSet, the CronJob rather than its Job. */
function workloadsOf(cached: Tables): (pod: PodEntry) => PodFacts['workload'] {
  const owners = new Map<string, string>()
  for (const [kind, name] of [
    ['ReplicaSet', 'replicasets'],
    ['Job', 'jobs'],
  ] as const)
    for (const entry of cached.table(name).values())
      if (entry.owner) owners.set(`${entry.namespace}/${kind}/${entry.name}`, entry.owner)
  return ({ namespace, owner }) => {
    if (owner === null) return undefined
    const [kind = '', name = ''] = (owners.get(`${namespace}/${owner}`) ?? owner).split('/')
    return { kind, name }
  }
}

/** The objects of a cluster as reachability asks for them. Pods that have ended or have no address yet are left out. */
export function snapshotOf(cached: Tables): ClusterSnapshot {
  const workloadOf = workloadsOf(cached)
  const pods: PodFacts[] = []
  for (const pod of [...cached.table('pods').values()].toSorted(byName)) {
    if (pod.isTerminal || pod.ip === null || !isWhole(pod)) continue
    const { isHostNetwork, ports } = pod.network
    pods.push({
      namespace: pod.namespace,
      name: pod.name,
      labels: pod.labels,
      ips: pod.ips ?? [pod.ip],
      ports,
      node: pod.node ?? undefined,
      hostNetwork: isHostNetwork,
      workload: workloadOf(pod),
    })
  }
  return {
    namespaces: [...cached.table('namespaces').values()].map(({ name, labels }) => ({ name, labels })),
    pods,
    services: [...cached.table('services').values()]
      .filter(isWhole)
      .map(({ namespace, name, network, balancerAddresses }) => ({
        namespace,
        name,
        ...network,
        ...(balancerAddresses && { balancerAddresses }),
      })),
    policies: [...cached.table('policies').values()].map(({ namespace, name, spec }) => ({
      namespace,
      name,
      spec,
    })),
    nodes: [...cached.table('nodes').values()].map(({ name, internalIp }) => ({
      name,
      addresses: internalIp === null ? [] : [internalIp],
    })),
  }
}

/** A list that an earlier version of Bey kept, shown while its cluster does not answer, has entries without this. */
const isWhole = (entry: object) => 'network' in entry

function byName(a: PodEntry, b: PodEntry): number {
  const [one, other] = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`]
  return one < other ? -1 : one > other ? 1 : 0
}
