import type { Json } from '../json.ts'
import type { Pod } from '../types.ts'
import { orNone, since } from './cells.ts'

type Restarts = { count: number; last: number }

/** Whether an init container keeps running beside the others, and so counts as one of them. */
function isSidecar(pod: Pod, i: number): boolean {
  return pod.spec.initContainers?.[i]?.restartPolicy === 'Always'
}

/** The STATUS column: the reason that best tells why a pod is not simply running. */
function podReason(pod: Pod): string {
  const status = pod.status ?? {}
  let reason = status.reason || status.phase || 'Unknown'
  const gates = pod.spec.schedulingGates ?? []
  if (status.phase === 'Pending' && gates.length > 0) reason = 'SchedulingGated'
  let isInitializing = false
  const initial = status.initContainerStatuses ?? []
  for (const [i, container] of initial.entries()) {
    const { terminated, waiting } = container.state ?? {}
    if (terminated?.exitCode === 0 || (isSidecar(pod, i) && container.started)) continue
    isInitializing = true
    if (terminated)
      reason = `Init:${terminated.reason || (terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`)}`
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') reason = `Init:${waiting.reason}`
    else reason = `Init:${i}/${pod.spec.initContainers?.length ?? 0}`
    break
  }
  if (!isInitializing) {
    let hasRunning = false
    for (const container of (status.containerStatuses ?? []).toReversed()) {
      const { waiting, terminated, running } = container.state ?? {}
      if (waiting?.reason) reason = waiting.reason
      else if (terminated?.reason) reason = terminated.reason
      else if (terminated)
        reason = terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`
      else if (container.ready && running) hasRunning = true
    }
    if (reason === 'Completed' && hasRunning) {
      const isReady = status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True')
      reason = isReady ? 'Running' : 'NotReady'
    }
  }
  if (pod.metadata.deletionTimestamp && status.reason === 'NodeLost') return 'Unknown'
  if (pod.metadata.deletionTimestamp && status.phase !== 'Succeeded' && status.phase !== 'Failed')
    return 'Terminating'
  return reason
}

function restartsOf(pod: Pod): Restarts {
  let count = 0
  let last = 0
  const sidecars = (pod.status?.initContainerStatuses ?? []).filter((_one, i) => isSidecar(pod, i))
  for (const container of [...sidecars, ...(pod.status?.containerStatuses ?? [])]) {
    count += container.restartCount
    const finished = container.lastState?.terminated?.finishedAt
    if (finished) last = Math.max(last, Date.parse(finished))
  }
  return { count, last }
}

export function podCells(pod: Pod, nowMs: number): Json[] {
  const sidecars = (pod.spec.initContainers ?? []).filter((_one, i) => isSidecar(pod, i)).length
  const ready =
    (pod.status?.containerStatuses ?? []).filter((one) => one.ready).length +
    (pod.status?.initContainerStatuses ?? []).filter(
      (one, i) => isSidecar(pod, i) && one.started && one.ready,
    ).length
  const restarts = restartsOf(pod)
  const ago =
    restarts.last > 0 && restarts.count > 0
      ? ` (${since(new Date(restarts.last).toISOString(), nowMs)} ago)`
      : ''
  const gates = pod.spec.readinessGates ?? []
  const passed = gates.filter((gate) =>
    pod.status?.conditions?.some((one) => one.type === gate.conditionType && one.status === 'True'),
  )
  return [
    pod.metadata.name,
    `${ready}/${pod.spec.containers.length + sidecars}`,
    podReason(pod),
    `${restarts.count}${ago}`,
    since(pod.metadata.creationTimestamp, nowMs),
    orNone(pod.status?.podIP),
    orNone(pod.spec.nodeName),
    orNone(pod.status?.nominatedNodeName),
    gates.length > 0 ? `${passed.length}/${gates.length}` : '<none>',
  ]
}
