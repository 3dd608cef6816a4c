import type { NetworkParts } from './parts.ts'

const policies = {
  name: 'networkpolicies.networking.k8s.io',
  path: '/apis/networking.k8s.io/v1/networkpolicies',
  isNamespaced: true,
} as const

/** Changes of one edit come together. */
const settleMs = 200

type Followed = { stop(): void; networks: Set<string> }

/** Hears of changes of network policies in the clusters of networks, and says which networks may be concerned. */
export function createPolicyWatch(
  { cache, clock }: Pick<NetworkParts, 'cache' | 'clock'>,
  onChange: (organizationId: number, networkId: string) => void,
) {
  const followed = new Map<number, Followed>()

  function follow(
    { organizationId, id }: { organizationId: number; id: string },
    attached: readonly { clusterId: number | null; clusterTitle: string | null; name: string }[],
  ): void {
    const clusterIds = new Set(attached.flatMap(({ clusterId }) => clusterId ?? []))
    for (const [clusterId, each] of followed) {
      if (clusterIds.has(clusterId) || !each.networks.delete(id) || each.networks.size > 0) continue
      each.stop()
      followed.delete(clusterId)
    }
    for (const clusterId of clusterIds) {
      const title = attached.find((each) => each.clusterId === clusterId)
      const known =
        followed.get(clusterId) ?? begin(organizationId, clusterId, title?.clusterTitle ?? title?.name)
      known.networks.add(id)
    }
  }

  function begin(organizationId: number, clusterId: number, title = String(clusterId)): Followed {
    const networks = new Set<string>()
    let cancel: (() => void) | undefined
    const watch = cache.watchRows({ id: clusterId, organizationId, title }, [policies], () => {
      cancel ??= clock.setTimeout(() => {
        cancel = undefined
        for (const id of networks) onChange(organizationId, id)
      }, settleMs)
    })
    const each = {
      networks,
      stop() {
        cancel?.()
        watch.stop()
      },
    }
    followed.set(clusterId, each)
    return each
  }

  return {
    follow,
    stop() {
      for (const each of followed.values()) each.stop()
      followed.clear()
    },
  }
}
