import type { Endpoint } from '@bey/contract/reachability/endpoint'
import type { Protocol } from '@bey/contract/reachability/snapshot'
import type { ObservedFlow } from '@bey/contract/reachability/what-if'
import { ClusterFailure } from '../../../platform/clusters/open-cluster.ts'
import { openLive } from '../open-live.ts'
import type { ReachabilityNeeds } from './read-policies.ts'

type SeenEnd = { namespace?: string; pod?: string; workload?: { kind: string; name: string }; ip: string }
type SeenFlow = {
  from: SeenEnd
  to: SeenEnd
  protocol: Protocol
  port: number
  verdict: 'FORWARDED' | 'DROPPED'
  count: number
  lastSeen: string
}

/**
 * Connections that got through in a cluster, where it tells of them: a sandbox does. None where it does not, or does not
 * answer now; what follows from them is then said of what is open instead.
 */
export async function readObservedFlows(
  needs: ReachabilityNeeds,
  organizationId: number,
  clusterId: number,
): Promise<ObservedFlow[]> {
  try {
    const cluster = await openLive(needs, organizationId, clusterId)
    const { status, body } = await cluster({ method: 'GET', path: '/sandbox/v1/flows' })
    if (status !== 200) return []
    // The reply of a sandbox, whose shape is its contract.
    const { flows = [] } = body as { flows?: SeenFlow[] }
    return flows
      .filter(({ verdict }) => verdict === 'FORWARDED')
      .map(({ from, to, protocol, port, count, lastSeen }) => ({
        from: endOf(from),
        to: endOf(to),
        port: { protocol, port },
        count,
        lastSeenAtMs: Date.parse(lastSeen),
      }))
  } catch (error) {
    if (error instanceof ClusterFailure) return []
    throw error
  }
}

function endOf({ namespace, pod, workload, ip }: SeenEnd): Endpoint {
  if (namespace === undefined || pod === undefined) return { kind: 'address', address: ip }
  const { kind, name } = workload ?? { kind: 'Pod', name: pod }
  return { kind: 'workload', namespace, workloadKind: kind, name }
}
