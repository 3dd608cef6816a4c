import type { Pod } from '../types.ts'
import { isTrue } from './conditions.ts'

export function isReady(pod: Pod): boolean {
  return isTrue(pod.status?.conditions, 'Ready')
}

/** Neither ended nor being deleted. */
export function isActive(pod: Pod): boolean {
  const phase = pod.status?.phase
  return phase !== 'Succeeded' && phase !== 'Failed' && !pod.metadata.deletionTimestamp
}

/** Ready for at least `minReadySeconds`; tells in how many milliseconds it will be when not yet. */
export function availability(
  pod: Pod,
  minReadySeconds: number,
  nowMs: number,
): { isAvailable: boolean; dueMs: number } {
  const ready = pod.status?.conditions?.find((one) => one.type === 'Ready')
  if (ready?.status !== 'True') return { isAvailable: false, dueMs: Infinity }
  const since = Date.parse(ready.lastTransitionTime ?? '')
  const dueMs = since + minReadySeconds * 1000 - nowMs
  return { isAvailable: minReadySeconds === 0 || dueMs <= 0, dueMs }
}

function rank(pod: Pod): number[] {
  const phases = ['Pending', 'Unknown', 'Running']
  return [
    pod.spec.nodeName ? 1 : 0,
    phases.indexOf(pod.status?.phase ?? 'Unknown'),
    isReady(pod) ? 1 : 0,
    Number(pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0),
    -(pod.status?.containerStatuses ?? []).reduce((sum, one) => sum + one.restartCount, 0),
    // The younger goes first.
    -Date.parse(pod.metadata.creationTimestamp),
  ]
}

/** The order in which a ReplicaSet gives up pods: the least useful first. */
export function byUsefulness(a: Pod, b: Pod): number {
  const left = rank(a)
  const right = rank(b)
  for (const [i, value] of left.entries()) {
    const difference = value - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.metadata.name < b.metadata.name ? -1 : 1
}
