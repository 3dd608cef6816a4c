import type { Health } from '../base/health.ts'
import type { ClusterStatus } from '../base/statuses.ts'
import { clusterStatuses } from '../base/statuses.ts'

type Progress = { status: ClusterStatus; pending_operations: number }

/** How many clusters of each provider an organization may have. */
export const clusterQuotas = { sandbox: 20, kubeconfig: 200 } as const

/** Of what a member writes about a cluster. */
export const clusterBounds = { description: 500, labels: 20, labelKey: 63, labelValue: 100 } as const

/** What a cluster's own state allows; the caller's role is asked apart. Each answers why not, or undefined. */
export const clusterCan = {
  /** Provisioning starts when pending, and again after a failure. */
  provision(cluster: Progress): string | undefined {
    if (cluster.status === 'PENDING' || cluster.status === 'ERROR') return undefined
    if (cluster.status === 'CREATING') return 'It is being provisioned already.'
    return `A cluster that is ${clusterLabel(cluster.status)} cannot be provisioned.`
  },
  delete(cluster: Progress): string | undefined {
    if (cluster.status === 'DELETED') return 'It is deleted already.'
    if (cluster.status === 'UPDATING') return 'It is already being deleted.'
    return undefined
  },
  /** Whether its Kubernetes API can be expected to answer. */
  connect(cluster: Progress): string | undefined {
    if (cluster.status === 'RUNNING') return undefined
    if (cluster.status === 'DELETED') return 'It is deleted.'
    if (cluster.status === 'ERROR') {
      return 'Its last operation failed; its Kubernetes API answers once it is running.'
    }
    return `It is ${clusterLabel(cluster.status)}; its Kubernetes API answers once it is running.`
  },
}

/** Lower-case label of a status; what is unknown shows as pending. */
export function clusterLabel(status: string): Lowercase<ClusterStatus> {
  const known = clusterStatuses.find((candidate) => candidate === status.toUpperCase())
  return (known ?? 'PENDING').toLowerCase() as Lowercase<ClusterStatus>
}

export type ProvisioningStatus = string

/**
 * A cluster after a CLUSTER_PROVISIONING_UPDATE: COMPLETED → RUNNING, FAILED → ERROR, PROCESSING and
 * PROVISIONING → CREATING, DELETED → DELETED, any other keeps its status; one operation stays pending until
 * COMPLETED or DELETED.
 */
export function applyProvisioning<C extends Progress>(
  cluster: C,
  update: { status: ProvisioningStatus; error?: string | null },
): C {
  const pending = update.status === 'COMPLETED' || update.status === 'DELETED' ? 0 : 1
  return { ...cluster, status: statusAfter(cluster.status, update.status), pending_operations: pending }
}

function statusAfter(current: ClusterStatus, update: ProvisioningStatus): ClusterStatus {
  switch (update) {
    case 'COMPLETED':
      return 'RUNNING'
    case 'FAILED':
      return 'ERROR'
    case 'PROCESSING':
    case 'PROVISIONING':
      return 'CREATING'
    case 'DELETED':
      return 'DELETED'
    default:
      return current
  }
}

/** What the server found when it looked at a cluster. `isCurrent`: it still looks. */
export type ObservedHealth = Health & { isCurrent: boolean }

/** The health of a cluster: by its own state unless it runs and answers, then by what was observed in it. */
export function healthOfCluster(cluster: {
  status: ClusterStatus
  error: string | null
  reachability: { state: string; since: string | null; reason: string | null }
  observed: ObservedHealth | null
}): Health {
  const { status, error, reachability, observed } = cluster
  const of = (
    state: Health['state'],
    reason: string,
    detail: string,
    since: string | null = null,
  ): Health => ({
    state,
    reason,
    detail,
    since,
    object: null,
  })
  if (status === 'ERROR') return of('failing', 'OperationFailed', error ?? 'Its last operation failed.')
  if (status === 'DELETED') return of('unknown', 'Deleted', 'It is deleted.')
  if (status !== 'RUNNING') return of('starting', clusterLabel(status), `It is ${clusterLabel(status)}.`)
  if (reachability.state === 'unreachable') {
    return of('unknown', 'Unreachable', reachability.reason ?? 'It does not answer.', reachability.since)
  }
  if (!observed) return of('starting', 'NotObserved', 'Checking…')
  const { isCurrent, ...health } = observed
  return isCurrent ? health : of('unknown', 'NotObserved', 'No server checks it at the moment.')
}

/** A test of a cluster's address that takes longer is ended, in milliseconds. */
export const connectionTestMs = 25_000

/** How long a sandbox takes until it runs: its machines boot by the clock, its control plane and pods take the rest. */
export const sandboxStart = {
  bootMs: { min: 3_000, max: 4_500 },
  restMs: { min: 2_000, max: 5_500 },
} as const
