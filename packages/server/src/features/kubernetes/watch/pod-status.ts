import type { ContainerStatus, Pod } from './kube-types.ts'

export type PodSummary = { status: string; ready: number; total: number; restarts: number }

/** The columns STATUS, READY and RESTARTS as `kubectl get pods` prints them (printPod in kubernetes/pkg/printers). */
export function podSummary(pod: Pod): PodSummary {
  const { spec = {}, status = {} } = pod
  const sidecars = new Set(spec.initContainers?.filter(isSidecar).map((container) => container.name))
  const total = (spec.containers?.length ?? 0) + sidecars.size
  const init = initState(pod, sidecars)
  let text = init.reason ?? baseReason(pod)
  let { ready, restarts } = init

  if (!init.reason || hasCondition(pod, 'Initialized')) {
    restarts = init.sidecarRestarts
    let hasRunning = false
    // From last to first, as kubectl does: the first container that has a reason wins.
    for (const container of (status.containerStatuses ?? []).toReversed()) {
      restarts += container.restartCount ?? 0
      const reason = containerReason(container)
      if (reason) text = reason
      else if (container.ready && container.state?.running) {
        hasRunning = true
        ready += 1
      }
    }
    if (text === 'Completed' && hasRunning) text = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady'
  }
  return { status: deletedStatus(pod) ?? text, ready, total, restarts }
}

const isSidecar = (container: { restartPolicy?: string }) => container.restartPolicy === 'Always'

function baseReason({ status }: Pod): string {
  const isGated = status?.conditions?.some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  )
  if (isGated) return 'SchedulingGated'
  return status?.reason || status?.phase || 'Unknown'
}

type InitState = { reason: string | undefined; ready: number; restarts: number; sidecarRestarts: number }

function initState({ spec, status }: Pod, sidecars: Set<string | undefined>): InitState {
  const found: InitState = { reason: undefined, ready: 0, restarts: 0, sidecarRestarts: 0 }
  for (const [index, container] of (status?.initContainerStatuses ?? []).entries()) {
    const isRunningSidecar = sidecars.has(container.name) && container.started === true
    found.restarts += container.restartCount ?? 0
    if (sidecars.has(container.name)) found.sidecarRestarts += container.restartCount ?? 0
    const { terminated, waiting } = container.state ?? {}
    if (terminated && (terminated.exitCode ?? 0) === 0) continue
    if (isRunningSidecar) {
      if (container.ready) found.ready += 1
      continue
    }
    if (terminated) found.reason = `Init:${terminatedReason(terminated)}`
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') found.reason = `Init:${waiting.reason}`
    else found.reason = `Init:${index}/${spec?.initContainers?.length ?? 0}`
    break
  }
  return found
}

function containerReason({ state }: ContainerStatus): string | undefined {
  if (state?.waiting?.reason) return state.waiting.reason
  return state?.terminated && terminatedReason(state.terminated)
}

function terminatedReason(state: { reason?: string; exitCode?: number; signal?: number }): string {
  if (state.reason) return state.reason
  return state.signal ? `Signal:${state.signal}` : `ExitCode:${state.exitCode ?? 0}`
}

function deletedStatus({ metadata, status }: Pod): string | undefined {
  if (!metadata?.deletionTimestamp) return undefined
  if (status?.reason === 'NodeLost') return 'Unknown'
  return isTerminal(status?.phase) ? undefined : 'Terminating'
}

export const isTerminal = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed'

function hasCondition({ status }: Pod, type: string): boolean {
  return (
    status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false
  )
}
