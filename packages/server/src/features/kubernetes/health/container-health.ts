import type { Verdict } from './verdict.ts'
import { fine, verdict } from './verdict.ts'

/** What is kept of a container for its health. Times are milliseconds since 1970. */
export type ContainerFacts = {
  name: string
  isInit: boolean
  ready: boolean
  restarts: number
  state: 'waiting' | 'running' | 'terminated' | 'none'
  reason: string
  message: string
  exitCode: number
  /** When it began to run, or ended. */
  sinceMs: number | null
  /** The run before this one. */
  last: { reason: string; exitCode: number; endedAtMs: number | null; ranMs: number } | null
}

/** How long images may be pulled and volumes mounted before that is worth a look. */
const createGraceMs = 5 * 60_000
/** How long a container may run before it is expected to be ready. */
export const readyGraceMs = 2 * 60_000
/** A restart longer ago than this is history; the kubelet forgets its back-off after the same time. */
const restartWindowMs = 10 * 60_000
/** A container that ran at least this long since its last crash is given the benefit of the doubt. */
const recoveredAfterMs = 60_000

/** Reasons for which a container waits that do not pass by themselves. */
const blockingReasons: Readonly<Record<string, string>> = {
  CrashLoopBackOff: 'it ends again and again',
  ImagePullBackOff: 'the image cannot be pulled',
  ErrImagePull: 'the image cannot be pulled',
  ErrImageNeverPull: 'the image is not on the node and may not be pulled',
  InvalidImageName: 'the name of the image is not valid',
  ImageInspectError: 'the image cannot be inspected',
  RegistryUnavailable: 'the image registry does not answer',
  SignatureValidationFailed: 'the signature of the image is not valid',
  CreateContainerConfigError: 'its configuration names something that does not exist',
  CreateContainerError: 'the container cannot be created',
  RunContainerError: 'the container cannot be started',
  PreCreateHookError: 'a hook before its creation failed',
  PreStartHookError: 'a hook before its start failed',
  PostStartHookError: 'the hook after its start failed',
}

/** Pure: one container of a pod that is meant to run. `startedAtMs` is when the pod was bound to its node. */
export function containerHealth(
  container: ContainerFacts,
  startedAtMs: number | null,
  nowMs: number,
): Verdict {
  switch (container.state) {
    case 'waiting':
      return waiting(container, startedAtMs, nowMs)
    case 'running':
      return running(container, startedAtMs, nowMs)
    case 'terminated':
      return terminated(container)
    case 'none':
      return creating('ContainerCreating', '', startedAtMs, nowMs)
  }
}

function waiting(container: ContainerFacts, startedAtMs: number | null, nowMs: number): Verdict {
  const { reason, message, last } = container
  const meaning = blockingReasons[reason]
  if (meaning === undefined) return creating(reason || 'ContainerCreating', message, startedAtMs, nowMs)
  if (reason === 'CrashLoopBackOff') return crashing(container, startedAtMs, nowMs)
  const detail = imageReasons.has(reason) ? imagePullText(message, meaning) : message || meaning
  return verdict('failing', reason, detail, last?.endedAtMs ?? startedAtMs)
}

const imageReasons: ReadonlySet<string> = new Set(['ImagePullBackOff', 'ErrImagePull'])

/** The runtime's message names the image four times; the missing image is named once. */
function imagePullText(message: string, meaning: string): string {
  const image = /image "([^"]+)"/.exec(message)?.[1]
  if (!image) return message || meaning
  if (/not found/i.test(message)) return `${image} was not found`
  if (/unauthorized|denied|forbidden/i.test(message)) return `${image} may not be pulled`
  if (/no such host|refused|timeout|timed out/i.test(message))
    return `the registry of ${image} does not answer`
  return `${image} cannot be pulled`
}

function creating(reason: string, message: string, startedAtMs: number | null, nowMs: number): Verdict {
  const endMs = (startedAtMs ?? nowMs) + createGraceMs
  if (nowMs < endMs) return verdict('starting', reason, message || null, startedAtMs, endMs)
  return verdict('degraded', reason, message || 'it has not been created in 5 minutes', startedAtMs)
}

function running(container: ContainerFacts, startedAtMs: number | null, nowMs: number): Verdict {
  const { last, restarts, sinceMs, ready, isInit } = container
  const runsForMs = nowMs - (sinceMs ?? nowMs)
  if (last && isCrash(last) && last.endedAtMs !== null && nowMs - last.endedAtMs < restartWindowMs) {
    // Between two crashes a container runs for a moment, and looks well.
    const provesItselfMs = Math.min(restartWindowMs, Math.max(recoveredAfterMs, 2 * last.ranMs))
    if (restarts >= 2 && last.ranMs < restartWindowMs && runsForMs < provesItselfMs) {
      const crashed = crashing(container, startedAtMs, nowMs)
      return { ...crashed, changesAtMs: (sinceMs ?? nowMs) + provesItselfMs }
    }
    if (restarts >= 2 || last.reason === 'OOMKilled') {
      const reason = last.reason === 'OOMKilled' ? 'OOMKilled' : 'Restarted'
      return verdict('degraded', reason, endText(container), last.endedAtMs, last.endedAtMs + restartWindowMs)
    }
  }
  if (ready || isInit) return fine
  const graceEndMs = (sinceMs ?? nowMs) + readyGraceMs
  if (nowMs < graceEndMs) return verdict('starting', 'NotReady', 'it is not ready yet', sinceMs, graceEndMs)
  return verdict('degraded', 'NotReady', 'its readiness probe fails', sinceMs)
}

function terminated(container: ContainerFacts): Verdict {
  const { exitCode, reason, sinceMs, isInit } = container
  if (exitCode === 0) return isInit ? fine : verdict('starting', reason || 'Completed', null, sinceMs)
  return verdict('failing', reason || 'Error', endText(container), sinceMs)
}

/** The kubelet waits at most 5 minutes between two runs: more restarts than that allows have no pause between them. */
const longestCycleMs = 6 * 60_000

function crashing(container: ContainerFacts, startedAtMs: number | null, nowMs: number): Verdict {
  const { last, restarts } = container
  const isOldTrouble = startedAtMs !== null && nowMs - startedAtMs <= restarts * longestCycleMs
  const sinceMs = isOldTrouble ? startedAtMs : (last?.endedAtMs ?? null)
  const reason = last?.reason === 'OOMKilled' ? 'OOMKilled' : 'CrashLoopBackOff'
  return verdict('failing', reason, endText(container), sinceMs)
}

/** "exit code 1, 31 restarts". */
function endText({ state, reason, exitCode, last, restarts }: ContainerFacts): string {
  const end = state === 'terminated' ? { reason, exitCode } : last
  const parts: string[] = []
  if (end?.reason === 'OOMKilled') parts.push('killed for memory')
  else if (end) parts.push(`exit code ${end.exitCode}`)
  if (restarts > 0) parts.push(restarts === 1 ? '1 restart' : `${restarts} restarts`)
  return parts.join(', ')
}

/** 143: it ended as it was asked to. */
function isCrash({ exitCode, reason }: { exitCode: number; reason: string }): boolean {
  return reason === 'OOMKilled' || (exitCode !== 0 && exitCode !== 143)
}
