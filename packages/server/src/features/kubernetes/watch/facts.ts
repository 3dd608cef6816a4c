import type { ContainerFacts } from '../health/container-health.ts'
import type { PodFacts } from '../health/pod-health.ts'
import type { Condition } from '../health/workload-health.ts'
import { sharedText } from './shared-values.ts'
import type { ContainerStatus, KubeCondition, Pod, Terminated } from './kube-types.ts'

/** Messages are kept as long as they are shown. */
const maxMessage = 400

/** Milliseconds since 1970; null for what is no time. */
export function timeMs(text: string | null | undefined): number | null {
  const ms = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}

const shortened = (text: string | undefined) => sharedText((text ?? '').slice(0, maxMessage))

export function conditionsOf(conditions: readonly KubeCondition[] | undefined): Condition[] {
  return (conditions ?? []).map((condition) => ({
    type: sharedText(condition.type ?? ''),
    isTrue: condition.status === 'True',
    reason: sharedText(condition.reason ?? ''),
    message: shortened(condition.message),
    sinceMs: timeMs(condition.lastTransitionTime),
  }))
}

/** What the health of a pod depends on, a fraction of the pod. */
export function podFacts({ metadata, spec, status }: Pod): PodFacts {
  const sidecars = new Set(
    spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  )
  const conditions = conditionsOf(status?.conditions)
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled')
  const ready = conditions.find(({ type }) => type === 'Ready')
  return {
    phase: sharedText(status?.phase ?? 'Unknown'),
    reason: sharedText(status?.reason ?? ''),
    message: shortened(status?.message),
    createdAtMs: timeMs(metadata?.creationTimestamp),
    startedAtMs: timeMs(status?.startTime),
    isBound: Boolean(spec?.nodeName),
    // The API server writes when the grace period ends, not when somebody asked.
    deleteByMs: timeMs(metadata?.deletionTimestamp),
    scheduled: scheduled
      ? {
          reason: scheduled.reason,
          message: scheduled.message,
          sinceMs: scheduled.sinceMs,
        }
      : null,
    ready: ready ? { isReady: ready.isTrue, sinceMs: ready.sinceMs } : null,
    containers: [
      ...(status?.initContainerStatuses ?? []).map((each) => containerFacts(each, !sidecars.has(each.name))),
      ...(status?.containerStatuses ?? []).map((each) => containerFacts(each, false)),
    ],
  }
}

function containerFacts(container: ContainerStatus, isInit: boolean): ContainerFacts {
  const { running, waiting, terminated } = container.state ?? {}
  return {
    name: sharedText(container.name ?? ''),
    isInit,
    ready: container.ready === true,
    restarts: container.restartCount ?? 0,
    state: waiting ? 'waiting' : running ? 'running' : terminated ? 'terminated' : 'none',
    reason: sharedText(waiting?.reason ?? terminated?.reason ?? ''),
    message: shortened(waiting?.message),
    exitCode: terminated?.exitCode ?? 0,
    sinceMs: timeMs(running?.startedAt ?? terminated?.finishedAt),
    last: lastRun(container.lastState?.terminated),
  }
}

function lastRun(ended: Terminated | undefined): ContainerFacts['last'] {
  if (!ended) return null
  const endedAtMs = timeMs(ended.finishedAt)
  const startedAtMs = timeMs(ended.startedAt)
  const ranMs = endedAtMs === null || startedAtMs === null ? 0 : Math.max(0, endedAtMs - startedAtMs)
  return { reason: ended.reason ?? '', exitCode: ended.exitCode ?? 0, endedAtMs, ranMs }
}
