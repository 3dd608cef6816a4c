import type { ClusterStatus, LiveEvents, Subscription } from '@bey/contract'
import type { ClusterConnection } from '../clusters/provider.ts'

export type { ClusterConnection }

/** What the rest of the server knows of a cluster, as far as this feature asks. */
export type ClusterSummary = {
  id: number
  organizationId: number
  title: string
  status: ClusterStatus
  pendingOperations: number
  version: string
}

/** How to reach a cluster's API. Throws AppError with a sentence when it is not running or nothing is known of it. */
export type Connect = (organizationId: number, clusterId: number) => Promise<ClusterConnection>

/** Notes that a cluster's API answers, or since when and why it does not. */
export type SetReachability = (
  organizationId: number,
  clusterId: number,
  state: 'reachable' | 'unreachable',
  reason: string | null,
) => Promise<void>

type LocalEvents =
  | 'CLUSTER_RESOURCE_UPDATE'
  | 'CLUSTER_METRICS_UPDATE'
  | 'METRICS_STREAMING_STARTED'
  | 'METRICS_STREAMING_ERROR'
  | 'METRICS_STREAMING_STOPPED'

export type LocalEvent = {
  [T in LocalEvents]: { organizationId: number; type: T; message?: string; data: LiveEvents[T] }
}[LocalEvents]

/** What of the live hub this feature uses: each process watches for its own sockets, so nothing crosses processes. */
export type LivePort = {
  local(event: LocalEvent): void
  /** `start` is called when somebody begins to follow, and what it returns when the last one has left. */
  onSubscription<K extends Subscription['kind']>(
    kind: K,
    start: (subscription: Extract<Subscription, { kind: K }>, organizationId: number) => () => void,
  ): void
}
