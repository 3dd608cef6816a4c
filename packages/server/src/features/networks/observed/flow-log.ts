import type { Endpoint } from '@bey/contract/reachability/endpoint'
import type { ClusterSnapshot, Protocol } from '@bey/contract/reachability/snapshot'
import type { ObservedFlow } from '@bey/contract/reachability/what-if'

/** Connections from one end to another on one port, added up. */
export type ReportedFlow = ObservedFlow & { count: number; lastSeenAtMs: number; isDropped: boolean }

export type Observed = {
  source: 'sandbox' | 'hubble'
  flows: ReportedFlow[]
  /** Since when connections are counted, in ms since 1970. */
  sinceMs: number | null
  /** Why connections are missing from the count, as sentences; null where all are counted. */
  incomplete: string | null
}

/** Connections of a cluster as it reports them, or why none are known. */
export type FlowLog = Observed | { source: null; reason: string }

/** Where observed connections of a cluster come from. */
export type FlowSource = {
  /** Undefined where the cluster does not have this source. Never throws for what is in the way: that is the reason. */
  read(organizationId: number, clusterId: number, snapshot: ClusterSnapshot): Promise<FlowLog | undefined>
  stop(): void
}

/** One end as a source reports it; without a pod it is an address. */
export type SeenEnd = {
  namespace?: string
  pod?: string
  workload?: { kind: string; name: string }
  ip: string
}

/** Connections as a source reports them. */
export type SeenFlow = {
  from: SeenEnd
  to: SeenEnd
  protocol: Protocol
  port: number
  isDropped: boolean
  count: number
  lastSeenAtMs: number
}

export const reportedFlow = ({ from, to, protocol, port, ...rest }: SeenFlow): ReportedFlow => ({
  from: endOf(from),
  to: endOf(to),
  port: { protocol, port },
  ...rest,
})

function endOf({ namespace, pod, workload, ip }: SeenEnd): Endpoint {
  if (namespace === undefined || pod === undefined) return { kind: 'address', address: ip }
  const { kind, name } = workload ?? { kind: 'Pod', name: pod }
  return { kind: 'workload', namespace, workloadKind: kind, name }
}

/** Of the connections that a cluster reports, those that got through; none where it reports none. */
export const passedOf = (log: FlowLog): ObservedFlow[] =>
  log.source === null ? [] : log.flows.filter(({ isDropped }) => !isDropped)
