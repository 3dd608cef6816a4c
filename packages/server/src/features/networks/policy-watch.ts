import type { PolicyKind } from '@bey/contract/networks/rules'

import type { NetworkParts } from './parts.ts'

/** What is watched of each kind. */
const resources = {
  NetworkPolicy: {
    name: 'networkpolicies.networking.k8s.io',
    path: '/apis/networking.k8s.io/v1/networkpolicies',
    isNamespaced: true,
  },
  CiliumNetworkPolicy: {
    name: 'ciliumnetworkpolicies.cilium.io',
    path: '/apis/cilium.io/v2/ciliumnetworkpolicies',
    isNamespaced: true,
  },
} as const

/** Changes of one edit come together. */
const settleMs = 200

/**
 * A network is looked at each minute, by any process. One that this process has not looked at for so long was detached or
 * deleted, as another process saw.
 */
const forgottenAfterMs = 15 * 60_000

/** `networks`: when each was last looked at, by the monotonic clock. */
type Followed = { stop(): void; networks: Map<string, number> }

/** Hears of changes of policies of one kind in the clusters of networks, and says which networks may be concerned. */
export function createPolicyWatch(
  { cache, clock }: Pick<NetworkParts, 'cache' | 'clock'>,
  kind: PolicyKind,
  onChange: (organizationId: number, networkId: string) => void,
) {
  const followed = new Map<number, Followed>()

  function follow(
    { organizationId, id }: { organizationId: number; id: string },
    attached: readonly { clusterId: number | null; clusterTitle: string | null; name: string }[],
  ): void {
    const clusterIds = new Set(attached.flatMap(({ clusterId }) => clusterId ?? []))
    for (const [clusterId, each] of followed) if (!clusterIds.has(clusterId)) each.networks.delete(id)
    forget()
    for (const clusterId of clusterIds) {
      const title = attached.find((each) => each.clusterId === clusterId)
      const known =
        followed.get(clusterId) ?? begin(organizationId, clusterId, title?.clusterTitle ?? title?.name)
      known.networks.set(id, clock.monotonicMs())
    }
  }

  /** Stops to watch clusters in which no network is left. */
  function forget(): void {
    const oldest = clock.monotonicMs() - forgottenAfterMs
    for (const [clusterId, { networks, stop }] of followed) {
      for (const [id, at] of networks) if (at < oldest) networks.delete(id)
      if (networks.size > 0) continue
      stop()
      followed.delete(clusterId)
    }
  }

  function begin(organizationId: number, clusterId: number, title = String(clusterId)): Followed {
    const networks = new Map<string, number>()
    let cancel: (() => void) | undefined
    const watch = cache.watchRows({ id: clusterId, organizationId, title }, [resources[kind]], () => {
      cancel ??= clock.setTimeout(() => {
        cancel = undefined
        forget()
        for (const id of networks.keys()) onChange(organizationId, id)
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
