import type { Cluster } from '../api/context.ts'
import { deployments, type Deployment, type ReplicaSet } from '../types.ts'
import { withCondition } from './conditions.ts'
import { rollingBounds } from './deployment-math.ts'

type NewSetOf = (deployment: Deployment, sets: readonly ReplicaSet[]) => ReplicaSet | undefined
type Status = NonNullable<Deployment['status']>
type Condition = NonNullable<Status['conditions']>[number]

const total = (
  sets: readonly ReplicaSet[],
  of: (status: NonNullable<ReplicaSet['status']>) => number | undefined,
) => sets.reduce((sum, set) => sum + (set.status ? (of(set.status) ?? 0) : 0), 0)

/** Counts what the sets report, and tells in conditions whether the rollout moves, is done or is stuck. */
export function updateDeploymentStatus(
  cluster: Cluster,
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSetOf: NewSetOf,
  again: (delayMs: number) => void,
): void {
  const fresh = newSetOf(deployment, sets)
  const wanted = deployment.spec.replicas ?? 1
  const nowMs = cluster.clock.now()
  const replicas = total(sets, (status) => status.replicas)
  const updated = fresh?.status?.replicas ?? 0
  const ready = total(sets, (status) => status.readyReplicas)
  const available = total(sets, (status) => status.availableReplicas)
  const unavailable = Math.max(0, sets.reduce((sum, set) => sum + (set.spec.replicas ?? 0), 0) - available)
  const old = deployment.status
  const isComplete =
    updated === wanted && replicas === wanted && available >= wanted && (fresh?.spec.replicas ?? 0) === wanted
  const hasMoved =
    updated !== (old?.updatedReplicas ?? 0) ||
    ready > (old?.readyReplicas ?? 0) ||
    available > (old?.availableReplicas ?? 0) ||
    replicas - updated < (old?.replicas ?? 0) - (old?.updatedReplicas ?? 0)

  let conditions: Condition[] = [...(old?.conditions ?? [])]
  const isAvailable = available >= wanted - rollingBounds(deployment).unavailable
  conditions = set(
    conditions,
    isAvailable
      ? {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        },
    nowMs,
  )
  const failure = sets
    .flatMap((one) => one.status?.conditions ?? [])
    .find((one) => one.type === 'ReplicaFailure' && one.status === 'True')
  conditions = failure
    ? set(
        conditions,
        { type: 'ReplicaFailure', status: 'True', reason: failure.reason, message: failure.message },
        nowMs,
      )
    : conditions.filter((one) => one.type !== 'ReplicaFailure')
  const progress = progressCondition(deployment, fresh, conditions, { isComplete, hasMoved }, nowMs, again)
  if (progress) conditions = set(conditions, progress, nowMs)

  cluster.resources.changeStatus(deployments, deployment, (draft) => {
    draft.status = {
      observedGeneration: deployment.metadata.generation ?? 1,
      ...(replicas > 0 ? { replicas } : {}),
      ...(updated > 0 ? { updatedReplicas: updated } : {}),
      ...(ready > 0 ? { readyReplicas: ready } : {}),
      ...(available > 0 ? { availableReplicas: available } : {}),
      ...(unavailable > 0 ? { unavailableReplicas: unavailable } : {}),
      ...(old?.collisionCount ? { collisionCount: old.collisionCount } : {}),
      conditions,
    }
  })
}

function set(conditions: readonly Condition[], next: Condition, nowMs: number): Condition[] {
  const old = conditions.find((one) => one.type === next.type)
  const isSame = old?.status === next.status && old.reason === next.reason && old.message === next.message
  if (isSame && !next.lastUpdateTime) return [...conditions]
  return withCondition(
    conditions,
    { lastUpdateTime: new Date(nowMs).toISOString().slice(0, 19) + 'Z', ...next },
    nowMs,
  )
}

function progressCondition(
  deployment: Deployment,
  fresh: ReplicaSet | undefined,
  conditions: readonly Condition[],
  { isComplete, hasMoved }: { isComplete: boolean; hasMoved: boolean },
  nowMs: number,
  again: (delayMs: number) => void,
): Condition | undefined {
  const current = conditions.find((one) => one.type === 'Progressing')
  const name = fresh ? `ReplicaSet "${fresh.metadata.name}"` : `Deployment "${deployment.metadata.name}"`
  const type = 'Progressing'
  if (deployment.spec.paused) {
    return { type, status: 'Unknown', reason: 'DeploymentPaused', message: 'Deployment is paused' }
  }
  if (isComplete) {
    return {
      type,
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: `${name} has successfully progressed.`,
    }
  }
  // A finished rollout that loses a pod is not a rollout again, unless its template changed.
  const isDoneBefore = current?.reason === 'NewReplicaSetAvailable' && current.message?.includes(name)
  if (isDoneBefore) return undefined
  const lastUpdateTime = `${new Date(nowMs).toISOString().slice(0, 19)}Z`
  if (current?.reason === 'DeploymentPaused') {
    return {
      type,
      status: 'Unknown',
      reason: 'DeploymentResumed',
      message: 'Deployment is resumed',
      lastUpdateTime,
    }
  }
  const isNew = !current?.message?.includes(name)
  if (isNew || hasMoved) {
    const reason = isNew && current === undefined ? 'NewReplicaSetCreated' : 'ReplicaSetUpdated'
    const text =
      reason === 'NewReplicaSetCreated'
        ? `Created new replica set "${fresh?.metadata.name ?? ''}"`
        : `${name} is progressing.`
    again((deployment.spec.progressDeadlineSeconds ?? 600) * 1000 + 1000)
    return { type, status: 'True', reason, message: text, lastUpdateTime }
  }
  const deadlineMs = (deployment.spec.progressDeadlineSeconds ?? 600) * 1000
  const leftMs = Date.parse(current?.lastUpdateTime ?? '') + deadlineMs - nowMs
  if (leftMs > 0) {
    again(leftMs + 1000)
    return undefined
  }
  return {
    type,
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
    message: `${name} has timed out progressing.`,
  }
}
