import type { Health, LoadBalancerService } from '@bey/contract'
import { healthy } from '@bey/contract'

import { type ClusterObjects, fullName } from './cluster-objects.ts'
import { unreachable } from './host-rows.ts'

/** For so long a new service may wait for its address before somebody has to look at it. */
const pendingMs = 5 * 60_000

/** Services of type LoadBalancer of a cluster; none where Bey may not read services. */
export function balancerRows(objects: ClusterObjects, nowMs: number): LoadBalancerService[] {
  const { cluster, services, endpoints, noAnswerSince } = objects
  return [...(services?.values() ?? [])]
    .filter(({ network }) => network.type === 'LoadBalancer')
    .map((service) => {
      const { namespace, name, createdAt, network, balancerAddresses = [] } = service
      const found = endpoints && (endpoints.get(fullName(service)) ?? { ready: 0, total: 0 })
      return {
        clusterId: cluster.id,
        cluster: cluster.title,
        namespace,
        name,
        createdAt,
        addresses: balancerAddresses.slice(0, 20),
        ports: network.ports.slice(0, 100).map(({ port, protocol }) => `${port}/${protocol}`),
        ready: found?.ready ?? null,
        total: found?.total ?? null,
        health:
          noAnswerSince === null
            ? healthOf(createdAt, balancerAddresses.length > 0, found, nowMs)
            : unreachable(noAnswerSince),
      }
    })
}

function healthOf(
  createdAt: string | null,
  hasAddress: boolean,
  endpoints: { ready: number; total: number } | undefined,
  nowMs: number,
): Health {
  const ageMs = createdAt === null ? 0 : nowMs - Date.parse(createdAt)
  if (!hasAddress) {
    const isLate = ageMs >= pendingMs
    return {
      state: isLate ? 'failing' : 'starting',
      reason: 'Pending',
      detail: isLate
        ? 'It has no address yet. Nothing in the cluster gives addresses to load balancers, or it refuses this one: look at its events.'
        : 'It waits for its address.',
      since: createdAt,
      object: null,
    }
  }
  if (endpoints?.ready === 0 && ageMs >= 60_000)
    return {
      state: 'failing',
      reason: 'NoReadyEndpoints',
      detail:
        endpoints.total === 0
          ? 'No pod is behind it.'
          : `No pod behind it is ready: 0 of ${endpoints.total}.`,
      since: null,
      object: null,
    }
  return healthy
}
