import type { ContainerFacts } from './container-health.ts'
import { containerHealth, readyGraceMs } from './container-health.ts'
import type { Verdict } from './verdict.ts'
import { fine, verdict, worstOf } from './verdict.ts'

/** What is kept of a pod for its health. Times are milliseconds since 1970. */
export type PodFacts = {
  phase: string
  /** `Evicted`, `NodeLost`, `DeadlineExceeded` …; empty for most. */
  reason: string
  message: string
  createdAtMs: number | null
  /** Whether it has a node. */
  isBound: boolean
  /** When its node took it on. */
  startedAtMs: number | null
  /** When it must have ended, its grace period included; null while it is not deleted. */
  deleteByMs: number | null
  scheduled: { reason: string; message: string; sinceMs: number | null } | null
  /** The condition `Ready`, as the node reports it. */
  ready: { isReady: boolean; sinceMs: number | null } | null
  containers: ContainerFacts[]
}

/** How long a new pod may wait for a node; the scheduler answers in far less. */
const scheduleGraceMs = 30_000
/** How much later than it should a pod may end. */
const deleteGraceMs = 60_000
/** How long init containers may run: migrations and downloads take their time. */
const initGraceMs = 15 * 60_000

/** Pure: a pod. `isNodeReady` is false while its node does not report, so its last report does not count. */
export function podHealth(pod: PodFacts, isNodeReady: boolean, nowMs: number): Verdict {
  if (pod.phase === 'Succeeded') return verdict('healthy', 'Completed')
  if (pod.phase === 'Failed') return failed(pod)
  if (pod.deleteByMs !== null) return terminating(pod, pod.deleteByMs, nowMs)
  if (pod.phase === 'Unknown' || pod.reason === 'NodeLost') {
    return verdict('unknown', 'NodeLost', 'its node does not report', pod.ready?.sinceMs ?? null)
  }
  if (!isNodeReady) {
    return verdict('unknown', 'NodeNotReady', 'its node does not report', pod.ready?.sinceMs ?? null)
  }
  if (!pod.isBound) return pending(pod, nowMs)
  return running(pod, nowMs)
}

function failed({ reason, message, containers, ready }: PodFacts): Verdict {
  const ended = containers.find(({ state, exitCode }) => state === 'terminated' && exitCode !== 0)
  const exit = ended && `exit code ${ended.exitCode}`
  const sinceMs = ended?.sinceMs ?? ready?.sinceMs ?? null
  return verdict('failing', reason || ended?.reason || 'Failed', message || exit || null, sinceMs)
}

function terminating({ message }: PodFacts, deleteByMs: number, nowMs: number): Verdict {
  const endMs = deleteByMs + deleteGraceMs
  if (nowMs < endMs) return verdict('starting', 'Terminating', message || null, null, endMs)
  return verdict('degraded', 'Terminating', 'it should have terminated by now', deleteByMs)
}

function pending({ scheduled, createdAtMs }: PodFacts, nowMs: number): Verdict {
  if (scheduled?.reason === 'SchedulingGated') {
    return verdict('starting', 'SchedulingGated', scheduled.message || null, createdAtMs)
  }
  const endMs = (createdAtMs ?? nowMs) + scheduleGraceMs
  const reason = scheduled?.reason || 'Pending'
  if (nowMs < endMs) return verdict('starting', reason, scheduled?.message || null, createdAtMs, endMs)
  const detail = scheduled?.message || 'no node has taken it yet'
  return verdict('failing', reason, detail, scheduled?.sinceMs ?? createdAtMs)
}

function running(pod: PodFacts, nowMs: number): Verdict {
  const { containers, startedAtMs, ready } = pod
  const init = containers.filter(({ isInit }) => isInit)
  const isInitDone = init.every(({ state, exitCode }) => state === 'terminated' && exitCode === 0)
  // Containers behind an unfinished init container wait for it, and say nothing of their own.
  const counted = isInitDone ? containers : init
  if (counted.length === 0) return containerHealth(noContainer, startedAtMs, nowMs)
  const worst = worstOf(counted.map((container) => containerHealth(container, startedAtMs, nowMs)))
  if (worst && worst.health.state !== 'healthy') return sinceUnready(worst, ready)
  if (!isInitDone) return initializing(startedAtMs, nowMs)
  if (ready && !ready.isReady) {
    // Its containers are ready and the pod is not: a readiness gate.
    const endMs = (ready.sinceMs ?? nowMs) + readyGraceMs
    if (nowMs < endMs) return verdict('starting', 'NotReady', 'it is not ready yet', ready.sinceMs, endMs)
    return verdict('degraded', 'NotReady', 'a readiness gate is not met', ready.sinceMs)
  }
  return worst ?? fine
}

/** The last crash is not when the trouble began: the pod may not have been ready for much longer. */
function sinceUnready({ health, changesAtMs }: Verdict, ready: PodFacts['ready']): Verdict {
  if (!ready || ready.isReady || ready.sinceMs === null || health.state === 'starting')
    return { health, changesAtMs }
  const since = new Date(ready.sinceMs).toISOString()
  return {
    // A container that is not ready runs for longer than it is not ready.
    health: {
      ...health,
      since: health.reason !== 'NotReady' && health.since && health.since < since ? health.since : since,
    },
    changesAtMs,
  }
}

function initializing(startedAtMs: number | null, nowMs: number): Verdict {
  const endMs = (startedAtMs ?? nowMs) + initGraceMs
  if (nowMs < endMs) return verdict('starting', 'PodInitializing', null, startedAtMs, endMs)
  return verdict(
    'degraded',
    'PodInitializing',
    'its init containers have not finished in 15 minutes',
    startedAtMs,
  )
}

const noContainer: ContainerFacts = {
  name: '',
  isInit: false,
  ready: false,
  restarts: 0,
  state: 'none',
  reason: '',
  message: '',
  exitCode: 0,
  sinceMs: null,
  last: null,
}
