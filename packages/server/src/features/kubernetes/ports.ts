import type { ClusterStatus } from '@bey/contract'

/** How to speak to a cluster's API server. `token` is Bey's own; it never leaves the server. */
export type ClusterConnection = { url: string; caPem: string; token: string; impersonate: boolean }

/** What the rest of the server knows of a cluster, as far as this feature asks. */
export type ClusterSummary = {
  id: number
  organizationId: number
  title: string
  status: ClusterStatus
  pendingOperations: number
  version: string
}

/**
 * How to reach a cluster's API. Throws AppError `cluster_unreachable` with a sentence when nothing is known
 * of where it is.
 */
export type Connect = (organizationId: number, clusterId: number) => Promise<ClusterConnection>
