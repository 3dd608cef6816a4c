import type { Live } from '../../../platform/live/live.ts'
import type { ClusterSummaries, ClusterSummary } from '../../clusters/cluster-summary.ts'
import type { ClusterConnection } from '../../clusters/provider.ts'
import type { KubeSender } from './kube-sender.ts'

export type { ClusterConnection, ClusterSummaries, ClusterSummary }

/** How to reach a cluster's API. Throws AppError with a sentence when it is not running or nothing is known of it. */
export type Connect = (organizationId: number, clusterId: number) => Promise<ClusterConnection>

/** Notes that a cluster's API answers since then, or since when and why it does not. */
export type SetReachability = (
  organizationId: number,
  clusterId: number,
  state: 'reachable' | 'unreachable',
  reason: string | null,
  since: Date,
) => Promise<void>

/**
 * Notes which cluster answers: the uid of its namespace `kube-system`. `isReplaced`: it was restored or replaced since it
 * was asked before.
 */
export type NoteIdentity = (
  organizationId: number,
  clusterId: number,
  identity: { uid: string | null; isReplaced: boolean },
) => Promise<void>

/** What of the live hub this feature uses. Each process watches clusters for its own sockets. */
export type LivePort = Pick<Live, 'local' | 'objectChanged' | 'onSubscription' | 'onAccessEnd'>

/** How features other than this one speak to clusters in Bey's own name. */
export type ClusterDoor = {
  find: ClusterSummaries['find']
  connect: Connect
  send: KubeSender
}
