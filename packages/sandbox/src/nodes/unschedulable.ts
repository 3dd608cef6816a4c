import type { Cluster } from '../api/context.ts'
import { withCondition } from '../controllers/conditions.ts'
import { pods, type Pod } from '../types.ts'

/** Whether a pod would fit if other pods left the node. */
export function isShortOfRoom(reason: string): boolean {
  return /^(Insufficient|Too many)/.test(reason)
}

/** Says why no node takes a pod, in the words of kube-scheduler; `reasons` counts the nodes of each reason. */
export function unschedulableMessage(reasons: ReadonlyMap<string, number>, total: number): string {
  const parts = [...reasons].map(([reason, number]) => `${number} ${reason}`).toSorted()
  const text = `0/${total} nodes are available: ${parts.join(', ')}.`
  const isResource = [...reasons.keys()].every(isShortOfRoom)
  const detail = isResource
    ? `${total} No preemption victims found for incoming pod.`
    : `${total} Preemption is not helpful for scheduling.`
  return `${text} preemption: 0/${total} nodes are available: ${detail}`
}

/** Records in a pod's status and events why it has no node. */
export function markUnschedulable({ resources, recorder, clock }: Cluster, pod: Pod, message: string): void {
  const old = pod.status?.conditions?.find((one) => one.type === 'PodScheduled')
  if (old?.message !== message) {
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }
    const change = (draft: Pod) => {
      const conditions = withCondition(draft.status?.conditions, condition, clock.now())
      draft.status = { ...draft.status, conditions }
    }
    resources.changeStatus(pods, pod, change, { manager: 'kube-scheduler' })
  }
  recorder.warning('default-scheduler', pod, 'FailedScheduling', message)
}
