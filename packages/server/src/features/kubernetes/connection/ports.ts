import type { Live } from '../../../platform/live/live.ts'
import type { ClusterSummaries, ClusterSummary } from '../../clusters/cluster-summary.ts'
import type { ClusterConnection } from '../../clusters/provider.ts'

export type { ClusterConnection, ClusterSummaries, ClusterSummary }

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
export type LivePort = Pick<Live, 'local' | 'objectChanged' | 'onSubscription' | 'onAccessEnd'>
