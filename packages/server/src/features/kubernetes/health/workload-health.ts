import type { Health, HealthObject } from '@bey/contract'
import type { Verdict } from './verdict.ts'
import { fine, never, verdict, worstOf } from './verdict.ts'

/** What is kept of a deployment, stateful set, daemon set or replica set for its health. */
export type ReplicaFacts = {
  /** How many pods it is meant to have; of a daemon set, on how many nodes it belongs. */
  desired: number
  available: number
  upToDate: number
  isPaused: boolean
  createdAtMs: number | null
  /** Its controller has not looked at the last change yet. */
  isObserved: boolean
  conditions: Condition[]
}

export type Condition = {
  type: string
  isTrue: boolean
  reason: string
  message: string
  sinceMs: number | null
}

/** A pod of a workload, with what was found of it. */
export type PodVerdict = {
  object: HealthObject
  verdict: Verdict
  isEnded: boolean
  endedAtMs: number | null
}

/** How many of how many pods are concerned. */
type Affected = { count: number; total: number }
export type WorkloadVerdict = Verdict & { affected: Affected }

/** How long replicas may be missing without a reason being known. */
const missingGraceMs = 2 * 60_000
/** Evictions longer ago than this are history: the pods were replaced. */
const evictionWindowMs = 15 * 60_000

/** Pure: a workload that keeps a number of pods available, from its own status and from its pods. */
export function replicaHealth(
  facts: ReplicaFacts,
  pods: readonly PodVerdict[],
  nowMs: number,
): WorkloadVerdict {
  const { desired, available } = facts
  const living = pods.filter((pod) => !pod.isEnded)
  const affected = (count: number): Affected => ({ count, total: Math.max(desired, count) })
  const with_ = (found: Verdict, count: number): WorkloadVerdict => ({ ...found, affected: affected(count) })

  const refused = facts.conditions.find(({ type, isTrue }) => type === 'ReplicaFailure' && isTrue)
  const missing = Math.max(0, desired - available)
  if (refused) {
    const state = available > 0 ? 'degraded' : 'failing'
    return with_(verdict(state, refused.reason || 'FailedCreate', refused.message, refused.sinceMs), missing)
  }
  if (desired === 0 && living.length === 0) return with_(verdict('healthy', 'ScaledToZero'), 0)

  const late = pastDeadline(facts)
  const lateVerdict =
    late && verdict(available > 0 ? 'degraded' : 'failing', late.reason, late.message, late.sinceMs)
  const lateCount = missing || Math.max(1, desired - facts.upToDate)

  const bad = living.filter(({ verdict: { health } }) => isTrouble(health))
  const worst = worstOf(bad.map(({ object, verdict: found }) => named(object, found)))
  const untilMs = Math.min(never, ...living.map((pod) => pod.verdict.changesAtMs))
  if (worst) {
    // That part of it cannot be looked at says less than that its rollout does not come to an end.
    if (lateVerdict && worst.health.state === 'unknown')
      return with_({ ...lateVerdict, changesAtMs: untilMs }, lateCount)
    const found = withState(worst, stateOf(facts, bad, worst.health))
    return with_({ ...found, changesAtMs: Math.min(found.changesAtMs, untilMs) }, bad.length)
  }

  if (lateVerdict) return with_({ ...lateVerdict, changesAtMs: untilMs }, lateCount)
  if (missing > 0 || facts.upToDate < desired || !facts.isObserved) {
    return with_(onItsWay(facts, living, untilMs, missing, nowMs), missing)
  }
  return evicted(pods, nowMs, untilMs, affected)
}

/** The condition of a rollout that is past its deadline. Pods of before may still serve, so that none is missing. */
function pastDeadline({ conditions, isObserved, available, upToDate, desired }: ReplicaFacts) {
  if (!isObserved || (available >= desired && upToDate >= desired)) return undefined
  return conditions.find(
    ({ type, isTrue, reason }) => type === 'Progressing' && !isTrue && reason === 'ProgressDeadlineExceeded',
  )
}

/** With pods that fail for want of room, what is left still serves; any other fault takes a workload down by half. */
function stateOf(
  { desired, available }: ReplicaFacts,
  bad: readonly PodVerdict[],
  worst: Health,
): Health['state'] {
  if (worst.state !== 'failing') return available > 0 || worst.state === 'unknown' ? worst.state : 'failing'
  const failing = bad.filter(({ verdict: { health } }) => health.state === 'failing')
  if (available === 0) return 'failing'
  const lacksRoom = failing.every(({ verdict: { health } }) => health.reason === 'Unschedulable')
  return !lacksRoom && failing.length * 2 >= desired ? 'failing' : 'degraded'
}

function onItsWay(
  { desired, available, conditions, createdAtMs, isPaused }: ReplicaFacts,
  living: readonly PodVerdict[],
  untilMs: number,
  missing: number,
  nowMs: number,
): Verdict {
  if (isPaused) return verdict('starting', 'Paused', 'its rollout is paused', null, untilMs)
  const starting = worstOf(
    living.map((pod) => pod.verdict).filter(({ health }) => health.state === 'starting'),
  )
  const count = `${available} of ${desired} available`
  if (starting || missing === 0) return verdict('starting', 'RollingOut', count, null, untilMs)
  const sinceMs = conditions.find(({ type }) => type === 'Available')?.sinceMs ?? createdAtMs
  const endMs = (sinceMs ?? nowMs) + missingGraceMs
  if (nowMs < endMs) return verdict('starting', 'RollingOut', count, sinceMs, Math.min(endMs, untilMs))
  return verdict(available > 0 ? 'degraded' : 'failing', 'MissingReplicas', count, sinceMs, untilMs)
}

function evicted(
  pods: readonly PodVerdict[],
  nowMs: number,
  untilMs: number,
  affected: (count: number) => Affected,
): WorkloadVerdict {
  const recent = pods.filter(
    ({ isEnded, endedAtMs, verdict: { health } }) =>
      isEnded && health.reason === 'Evicted' && endedAtMs !== null && nowMs - endedAtMs < evictionWindowMs,
  )
  const [first] = recent
  if (!first) return { ...fine, changesAtMs: untilMs, affected: affected(0) }
  const endMs = Math.min(untilMs, ...recent.map(({ endedAtMs }) => (endedAtMs ?? 0) + evictionWindowMs))
  const { detail } = first.verdict.health
  return {
    ...named(first.object, verdict('degraded', 'Evicted', detail, first.endedAtMs, endMs)),
    affected: affected(recent.length),
  }
}

function named(object: HealthObject, { health, changesAtMs }: Verdict): Verdict {
  return { health: { ...health, object: health.object ?? object }, changesAtMs }
}

function withState({ health, changesAtMs }: Verdict, state: Health['state']): Verdict {
  return { health: { ...health, state }, changesAtMs }
}

function isTrouble({ state }: Health): boolean {
  return state === 'failing' || state === 'degraded' || state === 'unknown'
}
