/** Cluster statuses on the wire; labels are the same words in lower case. */
export const clusterStatuses = [
  'PENDING',
  'CREATING',
  'RUNNING',
  'UPDATING',
  'ERROR',
  'DELETED',
  'COMPLETED',
  'FAILED',
] as const
export type ClusterStatus = (typeof clusterStatuses)[number]

/**
 * Legal moves of a cluster. A cluster is created PENDING; while it is being deleted it is UPDATING with one
 * pending operation. COMPLETED and FAILED only ever arrive in live messages and are never stored.
 */
export const clusterMoves: Record<ClusterStatus, readonly ClusterStatus[]> = {
  PENDING: ['CREATING', 'ERROR', 'UPDATING'],
  CREATING: ['RUNNING', 'ERROR', 'UPDATING'],
  RUNNING: ['UPDATING', 'ERROR'],
  UPDATING: ['RUNNING', 'ERROR', 'DELETED'],
  ERROR: ['CREATING', 'UPDATING'],
  DELETED: [],
  COMPLETED: [],
  FAILED: [],
}

export const runStatuses = [
  'queued',
  'scheduled',
  'running',
  'waiting',
  'paused',
  'cancelling',
  'cancelled',
  'completed',
  'failed',
  'timed_out',
  'needs_attention',
  'expired',
] as const
export type RunStatus = (typeof runStatuses)[number]

/** Legal moves of a workflow run; an empty row is a terminal status. */
export const runMoves: Record<RunStatus, readonly RunStatus[]> = {
  queued: ['running', 'cancelled', 'cancelling', 'expired'],
  scheduled: ['queued', 'running', 'cancelling', 'cancelled'],
  running: ['waiting', 'paused', 'cancelling', 'completed', 'failed', 'timed_out', 'needs_attention'],
  waiting: ['running', 'cancelling', 'timed_out'],
  paused: ['running', 'cancelling', 'timed_out'],
  cancelling: ['cancelled', 'completed', 'failed'],
  cancelled: [],
  completed: [],
  failed: [],
  timed_out: [],
  needs_attention: ['running', 'failed', 'cancelled'],
  expired: [],
}

export function isRunOver(status: RunStatus): boolean {
  return runMoves[status].length === 0
}

export const stepStatuses = [
  'pending',
  'ready',
  'running',
  'waiting',
  'retry_wait',
  'succeeded',
  'failed',
  'timed_out',
  'skipped',
  'cancelled',
  'uncertain',
] as const
export type StepStatus = (typeof stepStatuses)[number]

/** Legal moves of one step of a run. */
export const stepMoves: Record<StepStatus, readonly StepStatus[]> = {
  pending: ['ready', 'skipped', 'cancelled'],
  ready: ['running', 'waiting', 'cancelled'],
  running: ['succeeded', 'failed', 'timed_out', 'retry_wait', 'uncertain', 'cancelled'],
  waiting: ['succeeded', 'failed', 'timed_out', 'cancelled'],
  retry_wait: ['ready', 'cancelled'],
  succeeded: [],
  failed: [],
  timed_out: [],
  skipped: [],
  cancelled: [],
  uncertain: ['succeeded', 'ready', 'failed', 'cancelled'],
}

/** Marks a branch that the types say cannot be reached; throws if it is all the same. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`)
}
