import type { SecretUser } from '../sync/restart.ts'

export type Rollout = 'done' | 'under way' | { failed: string }

/** How far the restart of a workload is. */
export function rolloutOf({ kind, workload }: SecretUser): Rollout {
  const { metadata, spec, status = {} } = workload
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) return 'under way'
  const late = status.conditions?.find(
    ({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded',
  )
  if (late !== undefined) return { failed: late.message ?? 'The rollout does not proceed.' }
  if (kind === 'daemonsets') {
    const wanted = status.desiredNumberScheduled ?? 0
    return (status.updatedNumberScheduled ?? 0) >= wanted && (status.numberAvailable ?? 0) >= wanted
      ? 'done'
      : 'under way'
  }
  const wanted = spec?.replicas ?? 1
  const running = kind === 'deployments' ? status.availableReplicas : status.readyReplicas
  const isReplaced = (status.updatedReplicas ?? 0) >= wanted && (status.replicas ?? 0) <= wanted
  return isReplaced && (running ?? 0) >= wanted ? 'done' : 'under way'
}
