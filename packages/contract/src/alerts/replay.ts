import { observationsOf, worseOf } from './observations.ts'
import { type AlertCondition, clearMsOf } from './rules.ts'
import { advance, type AlertTiming, newInstance } from './states.ts'

export type ReplayedSeries = { labels: Record<string, string>; values: readonly (number | null)[] }

/** One time that an alert would have fired. `toMs` is null if it would still fire. */
export type ReplayedEpisode = {
  labels: Record<string, string>
  fromMs: number
  toMs: number | null
  peak: number | null
}

/** How long states take where values are `stepMs` apart. */
export function timingOf(forMs: number, stepMs: number): AlertTiming {
  return {
    forMs,
    clearMs: clearMsOf(forMs),
    noDataMs: Math.max(180_000, 3 * stepMs),
    maxGapMs: Math.max(120_000, 3 * stepMs),
  }
}

/**
 * When a rule would have fired, by the states that the evaluation itself uses; oldest first. Times may be unevenly apart:
 * older values are kept by the hour.
 */
export function replay(
  { condition, forMs }: { condition: AlertCondition; forMs: number },
  times: readonly number[],
  series: readonly ReplayedSeries[],
): ReplayedEpisode[] {
  const worse = worseOf(condition)
  const all = series.flatMap(({ labels, values }) => {
    const episodes: ReplayedEpisode[] = []
    let instance = newInstance(times[0] ?? 0)
    for (const [index, observation] of observationsOf(condition, times, values).entries()) {
      const stepMs = observation.atMs - (times[index - 1] ?? observation.atMs)
      const step = advance(instance, observation, timingOf(forMs, stepMs), worse)
      if (step.move === 'fired')
        episodes.push({ labels, fromMs: observation.atMs, toMs: null, peak: step.instance.peak })
      const open = episodes.at(-1)
      if (open?.toMs === null) {
        open.peak = step.instance.peak
        if (step.move === 'resolved') open.toMs = observation.atMs
      }
      instance = step.instance
    }
    return episodes
  })
  return all.toSorted((a, b) => a.fromMs - b.fromMs)
}

/** Limits around one, for comparing how often each would have fired: round numbers, the limit itself in the middle. */
export function limitsAround(limit: number): number[] {
  const round = (value: number) => Number(value.toPrecision(2))
  if (limit === 0) return [0]
  const around = [0.5, 0.8, 1, 1.25, 2].map((factor) => (factor === 1 ? limit : round(limit * factor)))
  return [...new Set(around)].toSorted((a, b) => a - b)
}

type LimitCount = { limit: number; count: number; actedOnCount: number }

/**
 * The limit that would have been right: it fires for everything that was acted on, and least often otherwise.
 * Undefined while nobody acted on anything, or where no limit is better than the one of now.
 */
export function suggestedLimit(limits: readonly LimitCount[], current: number): LimitCount | undefined {
  const now = limits.find(({ limit }) => limit === current)
  if (!now || now.actedOnCount === 0) return undefined
  const [best] = limits
    .filter(({ actedOnCount }) => actedOnCount >= now.actedOnCount)
    .toSorted((a, b) => a.count - b.count || Math.abs(a.limit - current) - Math.abs(b.limit - current))
  return best && best.count < now.count ? best : undefined
}
