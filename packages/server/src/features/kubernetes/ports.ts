import type { ClusterStatus } from '@bey/contract'
import type { Live } from '../../platform/live/live.ts'
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

/** What of the live hub this feature uses. Each process watches clusters for its own sockets. */
export type LivePort = Pick<Live, 'local' | 'onSubscription' | 'onAccessEnd'>
