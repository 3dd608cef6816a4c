import type { Health } from '@bey/contract'
import { healthRank, healthStates } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import { endpointsByService, serviceHealth } from '@bey/contract/kubernetes/service-health'
import { unreachable } from '../reads/all-workloads.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { KindName } from '../watch/kinds.ts'

export const servicesResource = 'services'

type Name = { namespace: string; name: string }

const needed = ['services', 'endpointslices.discovery.k8s.io'] as const

/** Reads the health of the services of a cluster; every row of another resource has none, as have all while a part is read. */
export async function readServiceHealth(
  resource: string,
  read: (kinds: readonly KindName[]) => Promise<ClusterCache | undefined>,
  clock: Clock,
): Promise<(row: Name) => Health | null> {
  if (resource !== servicesResource) return () => null
  const cached = await read(needed)
  // Endpoints that are not read yet would be missing ones.
  if (!cached || cached.isPartial(needed)) return () => null
  const { noAnswerSince } = cached.freshness(needed)
  const [services, slices] = needed
  // Where the cluster does not serve or show them, none of its services is blamed.
  const mayReadEndpoints = !cached.failures(needed).some(({ kind }) => kind === slices)
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

const none = { ready: 0, total: 0 }

/** What nothing answers first, rows whose health is not known last. */
export const byServiceHealth = (a: Health | null, b: Health | null): number => rank(a) - rank(b)

const rank = (health: Health | null) => (health === null ? healthStates.length : healthRank(health.state))
