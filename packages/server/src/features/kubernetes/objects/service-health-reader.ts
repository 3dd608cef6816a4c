import type { Health } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ClusterSummary } from '../connection/ports.ts'
import { endpointsByService, serviceHealth } from '../health/service-health.ts'
import { clusterTimeoutMs } from '../reads/each-cluster.ts'
import { unreachable } from '../reads/all-workloads.ts'
import type { WatchCache } from '../watch/watch-cache.ts'

export const servicesResource = 'services'

type Name = { namespace: string; name: string }

const needed = ['services', 'endpointslices.discovery.k8s.io'] as const

/** Reads the health of the services of a cluster; every row of another resource has none. */
export function createServiceHealth({ cache, clock }: { cache: WatchCache; clock: Clock }) {
  return async (resource: string, cluster: ClusterSummary): Promise<(row: Name) => Health | null> => {
    if (resource !== servicesResource) return () => null
    const cached = await cache.read(cluster, needed, clusterTimeoutMs)
    const { noAnswerSince } = cached.freshness(needed)
    const [services, slices] = needed
    const mayReadEndpoints = !cached
      .failures(needed)
      .some(({ kind, isRefused }) => isRefused && kind === slices)
    const endpoints = mayReadEndpoints ? endpointsByService(cached.table(slices).values()) : undefined
    // A list that an earlier version of Bey kept, shown while its cluster does not answer, lacks what this reads.
    const known = [...cached.table(services).values()].filter((each) => 'network' in each)
    const byName = new Map(known.map((each) => [`${each.namespace}/${each.name}`, each]))
    return ({ namespace, name }) => {
      const key = `${namespace}/${name}`
      const service = byName.get(key)
      if (!service) return null
      if (noAnswerSince !== null) return unreachable(noAnswerSince)
      return serviceHealth(service, endpoints && (endpoints.get(key) ?? none), clock.now().getTime())
    }
  }
}

const none = { ready: 0, total: 0 }
