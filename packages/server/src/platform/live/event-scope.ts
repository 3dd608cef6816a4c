import type { EventFrame, LiveEventType, Permission, Subscription } from '@bey/contract'

/** A subscription as a key. Ids are compared as text. */
export function keyOf(subscription: Subscription): string {
  switch (subscription.kind) {
    case 'workflow':
      return `workflow ${subscription.workflowId}`
    case 'cluster':
    case 'cluster_metrics':
    case 'cluster_resources':
      return `${subscription.kind} ${subscription.clusterId}`
    case 'organization':
    case 'workflows':
    case 'engine_status':
      return subscription.kind
  }
}

/** What somebody must be allowed to do in order to follow. */
export const subscriptionPermissions: Record<Subscription['kind'], Permission> = {
  organization: 'organization.read',
  workflows: 'workflows.read',
  workflow: 'workflows.read',
  cluster: 'clusters.read',
  cluster_metrics: 'kubernetes.read',
  cluster_resources: 'kubernetes.read',
  engine_status: 'engine.read',
}

/** Keys of the subscriptions that an event is for; undefined: for everybody of its organization. */
export function followersOf(event: EventFrame): readonly string[] | undefined {
  const find = scopes[event.type] as ((data: EventFrame['data']) => readonly string[]) | undefined
  return find?.(event.data)
}

/** Whom alone an event is for; undefined: for every member who may read it. */
export function recipientOf(event: EventFrame): number | undefined {
  return event.type === 'NOTIFICATIONS_UPDATE' ? event.data.userId : undefined
}

type Scopes = {
  [T in LiveEventType]: ((data: EventFrame<T>['data']) => readonly string[]) | undefined
}

const scopes: Scopes = {
  CLUSTER_PROVISIONING_UPDATE: undefined,
  CLUSTERS_UPDATE: undefined,
  WORKFLOW_UPDATE: undefined,
  WORKFLOW_RUN_UPDATE: undefined,
  WORKFLOW_STEP_UPDATE: ofRun,
  WORKFLOW_LOG: ofRun,
  ENGINE_STATUS_UPDATE: () => ['engine_status'],
  CLUSTER_RESOURCE_UPDATE: ({ clusterId }) => [`cluster_resources ${clusterId}`],
  ANNOTATIONS_UPDATE: undefined,
  METRICS_STREAMING_STARTED: ofMetrics,
  METRICS_STREAMING_STOPPED: ofMetrics,
  METRICS_STREAMING_ERROR: ofMetrics,
  CLUSTER_METRICS_UPDATE: ofMetrics,
  ERRORS_UPDATE: undefined,
  NOTIFICATIONS_UPDATE: undefined,
}

function ofRun({ workflowId, clusterId }: { workflowId: string; clusterId: number | null }): string[] {
  const keys = [`workflow ${workflowId}`, 'workflows']
  return clusterId === null ? keys : [...keys, `cluster ${clusterId}`]
}

function ofMetrics({ clusterId }: { clusterId: number }): string[] {
  return [`cluster_metrics ${clusterId}`]
}
