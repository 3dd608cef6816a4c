import type { Cluster } from './clusters.ts'
import type { Permission } from './permissions.ts'
import type { RunStatus, StepStatus } from './statuses.ts'
import type { StepLog } from './workflows.ts'

/** What each live event carries as `data`. An event tells what changed; REST tells the state. */
export type LiveEvents = {
  /** A step of provisioning or deletion moved. `status` is PROVISIONING, COMPLETED, FAILED, UPDATING or DELETED. */
  CLUSTER_PROVISIONING_UPDATE: {
    clusterId: number
    status: string
    error: string | null
    workflowId: string
    runId: string
    stepName: string | null
    progress: number
  }
  /** The first page of the organization's clusters, newest first, as its list endpoint answers it. */
  CLUSTERS_UPDATE: { clusters: Cluster[]; total: number; totalIsExact?: boolean }
  /** Objects of these kinds changed in a cluster, or its watch was lost or came back. For `cluster_resources`. */
  CLUSTER_RESOURCE_UPDATE: { clusterId: number; kinds: string[]; isLive: boolean }
  WORKFLOW_UPDATE: { workflowId: string; status: 'idle' | RunStatus; lastRunAt: string | null }
  WORKFLOW_RUN_UPDATE: {
    workflowId: string
    runId: string
    status: RunStatus
    clusterId: number | null
    progress: number
  }
  WORKFLOW_STEP_UPDATE: {
    workflowId: string
    runId: string
    clusterId: number | null
    stepKey: string
    stepName: string
    stepStatus: StepStatus
    message: string
    progress: number
  }
  WORKFLOW_LOG: {
    workflowId: string
    runId: string
    clusterId: number | null
    stepName: string
    message: string
    log: StepLog
  }
  ENGINE_STATUS_UPDATE: { activeWorkflows: number; status: string }
  /** A note on a page was made, changed, replied to or deleted. */
  ANNOTATIONS_UPDATE: { annotationId: string }
  METRICS_STREAMING_STARTED: { clusterId: number }
  METRICS_STREAMING_STOPPED: { clusterId: number }
  METRICS_STREAMING_ERROR: { clusterId: number; error: string }
  CLUSTER_METRICS_UPDATE: {
    clusterId: number
    nodes: { name: string; cpuMillicores: number; memoryBytes: number }[]
    at: string
  }
  /** Errors were reported, resolved, ignored or opened again. */
  ERRORS_UPDATE: { openCount: number }
  /** What this user was told changed, or what of it is read. Reaches nobody but them. */
  NOTIFICATIONS_UPDATE: { userId: number }
}

export type LiveEventType = keyof LiveEvents

/** What a reader of each event must be allowed to do. */
export const eventPermissions = {
  CLUSTER_PROVISIONING_UPDATE: 'clusters.read',
  CLUSTERS_UPDATE: 'clusters.read',
  CLUSTER_RESOURCE_UPDATE: 'kubernetes.read',
  WORKFLOW_UPDATE: 'workflows.read',
  WORKFLOW_RUN_UPDATE: 'workflows.read',
  WORKFLOW_STEP_UPDATE: 'workflows.read',
  WORKFLOW_LOG: 'workflows.read',
  ENGINE_STATUS_UPDATE: 'engine.read',
  ANNOTATIONS_UPDATE: 'annotations.read',
  METRICS_STREAMING_STARTED: 'kubernetes.read',
  METRICS_STREAMING_STOPPED: 'kubernetes.read',
  METRICS_STREAMING_ERROR: 'kubernetes.read',
  CLUSTER_METRICS_UPDATE: 'kubernetes.read',
  ERRORS_UPDATE: 'errors.read',
  NOTIFICATIONS_UPDATE: 'notifications.read',
} as const satisfies Record<LiveEventType, Permission>

/** An event as it stands on the socket. `target` is always ALL. */
export type EventFrame<T extends LiveEventType = LiveEventType> = {
  [K in T]: {
    id: string
    type: K
    target: 'ALL'
    timestamp: string
    component: string
    message: string
    organizationId: number
    data: LiveEvents[K]
  }
}[T]

/** Whether a frame of the socket is one of the events above; its data is what our own server serialized. */
export function isEventFrame(frame: { type: string }): frame is EventFrame {
  return Object.hasOwn(eventPermissions, frame.type) && 'data' in frame
}
