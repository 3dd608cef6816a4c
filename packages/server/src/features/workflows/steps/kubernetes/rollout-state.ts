import type { KubeObject } from './kube-object.ts'

export type RolloutState = { state: 'complete' | 'progressing' | 'failed'; text: string }

type Figures = Record<string, number | undefined>

/** How far a rollout is, as `kubectl rollout status` tells it (Kubernetes API reference, apps/v1). */
export function rolloutState({ kind, metadata, spec = {}, status = {} }: KubeObject): RolloutState {
  // Written by the controllers of apps/v1.
  const figures = status as Figures
  if ((figures['observedGeneration'] ?? 0) < (metadata?.generation ?? 0)) {
    return { state: 'progressing', text: 'the change has not been seen by its controller yet' }
  }
  if (hasExceededDeadline(status)) return { state: 'failed', text: 'the rollout made no progress in time' }
  const { wanted, updated, available } =
    kind === 'DaemonSet'
      ? {
          wanted: figures['desiredNumberScheduled'] ?? 0,
          updated: figures['updatedNumberScheduled'] ?? 0,
          available: figures['numberAvailable'] ?? 0,
        }
      : {
          wanted: Number(spec['replicas'] ?? 1),
          updated: figures['updatedReplicas'] ?? 0,
          available: (kind === 'StatefulSet' ? figures['readyReplicas'] : figures['availableReplicas']) ?? 0,
        }
  if (updated < wanted)
    return { state: 'progressing', text: `${updated} of ${wanted} replicas are of the new version` }
  const old = (figures['replicas'] ?? 0) - updated
  if (kind === 'Deployment' && old > 0)
    return { state: 'progressing', text: `${old} old replicas are ending` }
  if (available < wanted)
    return { state: 'progressing', text: `${available} of ${wanted} replicas are available` }
  return { state: 'complete', text: `${available} of ${wanted} replicas are available` }
}

function hasExceededDeadline(status: Record<string, unknown>): boolean {
  const conditions = (status['conditions'] ?? []) as { type?: string; reason?: string }[]
  return conditions.some(
    ({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded',
  )
}
