import type { Protocol } from '@bey/contract/reachability/snapshot'
import { ClusterFailure } from '../../../platform/clusters/open-cluster.ts'
import { openLive } from '../open-live.ts'
import type { NetworkParts } from '../parts.ts'
import { type FlowSource, reportedFlow, type SeenEnd } from './flow-log.ts'

/** The reply of a sandbox, whose shape is its contract. */
type SandboxFlow = {
  from: SeenEnd
  to: SeenEnd
  protocol: Protocol
  port: number
  verdict: 'FORWARDED' | 'DROPPED'
  count: number
  firstSeen: string
  lastSeen: string
}

/** Connections that a sandbox reports of its simulated pods. */
export function sandboxFlows(needs: Pick<NetworkParts, 'clusters' | 'cache'>): FlowSource {
  return {
    async read(organizationId, clusterId) {
      try {
        const cluster = await openLive(needs, organizationId, clusterId)
        const { status, body } = await cluster({ method: 'GET', path: '/sandbox/v1/flows' })
        if (status !== 200) return undefined
        const { flows = [] } = body as { flows?: SandboxFlow[] }
        return {
          source: 'sandbox',
          sinceMs:
            flows.length === 0 ? null : Math.min(...flows.map(({ firstSeen }) => Date.parse(firstSeen))),
          incomplete: null,
          flows: flows.map(({ from, to, protocol, port, count, verdict, lastSeen }) =>
            reportedFlow({
              from,
              to,
              protocol,
              port,
              count,
              isDropped: verdict === 'DROPPED',
              lastSeenAtMs: Date.parse(lastSeen),
            }),
          ),
        }
      } catch (error) {
        if (error instanceof ClusterFailure) return { source: null, reason: error.message }
        throw error
      }
    },
    stop: () => undefined,
  }
}
