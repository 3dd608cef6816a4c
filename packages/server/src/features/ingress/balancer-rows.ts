import type { LoadBalancerService } from '@bey/contract'
import { serviceHealth } from '@bey/contract/kubernetes/service-health'
import { type ClusterObjects, fullName } from './cluster-objects.ts'
import { unreachable } from './host-rows.ts'

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
        health: noAnswerSince === null ? serviceHealth(service, found, nowMs) : unreachable(noAnswerSince),
      }
    })
}
