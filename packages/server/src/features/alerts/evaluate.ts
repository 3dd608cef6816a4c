import { observationsOf, worseOf } from '@bey/contract/alerts/observations'
import { timingOf } from '@bey/contract/alerts/replay'
import { alertBounds, type AlertCondition, lookbackMs } from '@bey/contract/alerts/rules'
import { advance, newInstance } from '@bey/contract/alerts/states'

import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { AppError } from '../../platform/errors.ts'
import type { ReadRange } from '../../platform/metrics/read.ts'
import { floorTo, stepFor, steps } from '../../platform/metrics/steps.ts'
import type { StoredInstance } from '../../tables/alerts.ts'
import type { Answer } from './parts.ts'
import { keyOf } from './series-key.ts'

export type Rule = { condition: AlertCondition; forMs: number }

type NewEpisode = {
  id: string
  labels: Record<string, string>
  firedAtMs: number
  resolvedAtMs: number | null
  peak: number | null
}

export type Outcome = {
  instances: StoredInstance[]
  /** What fired in this evaluation; it may be over already. */
  fired: NewEpisode[]
  /** What fired before and is over. */
  resolved: { id: string; labels: Record<string, string>; atMs: number; peak: number | null }[]
  /** Series that have had no values for too long as of now. */
  lostCount: number
}

/** Collectors write a step when it has begun; what is younger may still change. */
const settleMs = steps.sample.stepMs
/** A server that was away judges what was measured meanwhile, so far back. */
const maxCatchUpMs = 15 * 60_000
/** What a new rule looks at. */
const firstMs = 2 * 60_000
/** A series without values is forgotten after this; one whose absence is watched, after a day. */
const forgottenMs = 60 * 60_000
const absentForgottenMs = 24 * 60 * 60_000

/** The steps that are judged now, and the range that this takes; undefined while none is new. */
export function plan(
  { condition }: Rule,
  evaluatedToMs: number | null,
  nowMs: number,
): { range: ReadRange; afterMs: number; toMs: number } | undefined {
  const backMs = lookbackMs(condition)
  const stepMs = backMs === 0 ? steps.sample.stepMs : stepFor(backMs, backMs + maxCatchUpMs, 120)
  const toMs = floorTo(nowMs - settleMs, stepMs) + stepMs
  // Of a clock that was set back nothing is known since.
  const isKnown = evaluatedToMs !== null && evaluatedToMs <= toMs + firstMs
  const afterMs = Math.max(
    isKnown ? evaluatedToMs : toMs - Math.max(firstMs, stepMs),
    toMs - Math.max(maxCatchUpMs, stepMs),
  )
  if (afterMs >= toMs) return undefined
  return { range: { fromMs: floorTo(afterMs - backMs, stepMs), toMs, stepMs }, afterMs, toMs }
}

/** Throws AppError `invalid_request` where an expression selects more than one alert watches. */
export function requireFew(seriesCount: number): void {
  if (seriesCount <= alertBounds.maxSeries) return
  throw new AppError(
    'invalid_request',
    `The expression selects ${seriesCount} series; one alert watches at most ${alertBounds.maxSeries}. Sum them up or select fewer by a label.`,
  )
}

/** The instances after the new steps of an answer. Where it has no series at all, one without labels stands for that. */
export function evaluate(
  rule: Rule,
  before: readonly StoredInstance[],
  answer: Pick<Answer, 'series'>,
  { range, afterMs }: { range: ReadRange; afterMs: number },
): Outcome {
  requireFew(answer.series.length)
  const { condition } = rule
  const count = Math.round((range.toMs - range.fromMs) / range.stepMs)
  const times = Array.from({ length: count }, (_, index) => range.fromMs + index * range.stepMs)
  const nothing = times.map(() => null)
  const known = new Map(before.map((each) => [keyOf(each.labels), each]))
  const found = new Map(answer.series.map(({ labels, values }) => [keyOf(labels), { labels, values }]))
  const emptyKey = keyOf({})
  const outcome: Outcome = { instances: [], fired: [], resolved: [], lostCount: 0 }
  for (const key of new Set([...known.keys(), ...found.keys(), ...(found.size === 0 ? [emptyKey] : [])])) {
    const series = found.get(key)
    const labels = series?.labels ?? known.get(key)?.labels ?? {}
    let observations = observationsOf(condition, times, series?.values ?? nothing)
    // Something is selected by now, so the instance that stood for nothing is over.
    if (key === emptyKey && !series && found.size > 0)
      observations = times.map((atMs) => ({ atMs, value: null, isBreached: false }))
    const next = advanceSeries(rule, known.get(key), labels, observations, { range, afterMs }, outcome)
    const isStandIn = key === emptyKey && !series && found.size > 0
    if (!isForgotten(next, condition, range.toMs, isStandIn)) outcome.instances.push(next)
    else if (next.episodeId !== null)
      outcome.resolved.push({ id: next.episodeId, labels, atMs: range.toMs, peak: next.peak })
  }
  return outcome
}

function advanceSeries(
  rule: Rule,
  before: StoredInstance | undefined,
  labels: Record<string, string>,
  observations: ReturnType<typeof observationsOf>,
  { range, afterMs }: { range: ReadRange; afterMs: number },
  outcome: Outcome,
): StoredInstance {
  const timing = timingOf(rule.forMs, range.stepMs)
  const worse = worseOf(rule.condition)
  let instance: StoredInstance = before ?? { ...newInstance(afterMs), labels, episodeId: null }
  let wasLost = false
  for (const observation of observations) {
    if (observation.atMs < afterMs) continue
    const step = advance(instance, observation, timing, worse)
    instance = { ...step.instance, labels, episodeId: instance.episodeId }
    if (step.move === 'lost') wasLost = true
    if (step.move === 'fired') {
      const id = uuidv7()
      instance.episodeId = id
      outcome.fired.push({ id, labels, firedAtMs: observation.atMs, resolvedAtMs: null, peak: instance.peak })
    }
    const open = outcome.fired.find(({ id }) => id === instance.episodeId)
    if (open) open.peak = instance.peak
    if (step.move === 'resolved' && instance.episodeId !== null) {
      if (open) open.resolvedAtMs = observation.atMs
      else
        outcome.resolved.push({ id: instance.episodeId, labels, atMs: observation.atMs, peak: instance.peak })
      instance.episodeId = null
    }
  }
  if (wasLost && instance.state === 'no_data') outcome.lostCount += 1
  return instance
}

function isForgotten(
  { labels, state, lastValueMs, sinceMs, episodeId }: StoredInstance,
  condition: AlertCondition,
  toMs: number,
  isStandIn: boolean,
): boolean {
  if (isStandIn) return episodeId === null || condition.kind !== 'absence'
  if (Object.keys(labels).length === 0) return false
  const silentMs = toMs - (lastValueMs ?? sinceMs)
  if (condition.kind === 'absence') return state === 'firing' && toMs - sinceMs > absentForgottenMs
  return state === 'no_data' && silentMs > forgottenMs
}
