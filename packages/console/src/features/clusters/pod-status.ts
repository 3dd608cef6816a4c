import type { PodRow } from '@bey/contract'

/** Reasons that kubectl shows while a pod is on its way, as opposed to those that say it is stuck. */
const onItsWay = ['Pending', 'ContainerCreating', 'PodInitializing', 'Terminating']

/** How a pod looks: kubectl's own word, with the glyph and colour of what it means. */
export function podStatus(pod: Pick<PodRow, 'status' | 'phase' | 'ready'>): {
  status: string
  label: string
} {
  const label = pod.status
  if (label === 'Running') {
    return { status: pod.ready.ready < pod.ready.total ? 'updating' : 'running', label }
  }
  if (label === 'Succeeded' || label === 'Completed') return { status: 'completed', label }
  if (onItsWay.includes(label) || label.startsWith('Init:')) {
    const isStuck = /BackOff|Error/.test(label)
    const status = label === 'Terminating' ? 'terminating' : label === 'Pending' ? 'pending' : 'creating'
    return { status: isStuck ? 'error' : status, label }
  }
  return { status: label === 'Unknown' ? 'unknown' : 'error', label }
}
