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

type ReportedFlow = ObservedFlow & { count: number; lastSeenAtMs: number; isDropped: boolean }

/** Connections of a cluster as it reports them, or why none are known. */
export type FlowLog = { source: 'sandbox'; flows: ReportedFlow[] } | { source: null; reason: string }

/** Reads the connections that a cluster reports: a sandbox does, other clusters do not. */
export async function readFlowLog(
  needs: ReachabilityNeeds,
  organizationId: number,
  clusterId: number,
): Promise<FlowLog> {
  try {
    const cluster = await openLive(needs, organizationId, clusterId)
    const { status, body } = await cluster({ method: 'GET', path: '/sandbox/v1/flows' })
    if (status !== 200) {
      return { source: null, reason: 'This cluster reports no connections. Sandboxes do.' }
    }
    // The reply of a sandbox, whose shape is its contract.
    const { flows = [] } = body as { flows?: SeenFlow[] }
    return { source: 'sandbox', flows: flows.map(observedFlow) }
  } catch (error) {
    if (error instanceof ClusterFailure) return { source: null, reason: error.message }
    throw error
  }
}

/**
 * Connections that got through in a cluster. None where it does not report them, or does not answer now; what follows
 * from them is then said of what is open instead.
 */
export async function readObservedFlows(
  needs: ReachabilityNeeds,
  organizationId: number,
  clusterId: number,
): Promise<ObservedFlow[]> {
  const log = await readFlowLog(needs, organizationId, clusterId)
  return log.source === null ? [] : passedOf(log)
}

/** Of the connections that a cluster reports, those that got through. */
export const passedOf = ({ flows }: Extract<FlowLog, { source: 'sandbox' }>): ObservedFlow[] =>
  flows.filter(({ isDropped }) => !isDropped)

const observedFlow = ({ from, to, protocol, port, verdict, count, lastSeen }: SeenFlow) => ({
  from: endOf(from),
  to: endOf(to),
  port: { protocol, port },
  count,
  lastSeenAtMs: Date.parse(lastSeen),
  isDropped: verdict === 'DROPPED',
})

function endOf({ namespace, pod, workload, ip }: SeenEnd): Endpoint {
  if (namespace === undefined || pod === undefined) return { kind: 'address', address: ip }
  const { kind, name } = workload ?? { kind: 'Pod', name: pod }
  return { kind: 'workload', namespace, workloadKind: kind, name }
}
