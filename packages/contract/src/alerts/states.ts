import type { AlertState } from './rules.ts'

/** What is known of one series of an alert. Times are milliseconds since 1970. */
export type AlertInstance = {
  state: AlertState
  /** Since when it is in this state. */
  sinceMs: number
  /** The first of the values beyond the limit without one within it; null while it is within. */
  breachedSinceMs: number | null
  /** Since when a firing one is back within the limit. */
  clearSinceMs: number | null
  /** When it fired, until it is resolved; set in `no_data` as well if it fired before. */
  firedAtMs: number | null
  /** The last judged value; null where nothing was ever measured. */
  lastValueMs: number | null
  /** The last moment that was looked at. */
  lastMs: number
  value: number | null
  /** The worst value since it went beyond the limit. */
  peak: number | null
}

/** One moment of a series. `isBreached` is null where nothing was measured. */
export type Observation = { atMs: number; value: number | null; isBreached: boolean | null }

export type AlertTiming = {
  forMs: number
  /** Back for so long resolves it. */
  clearMs: number
  /** Nothing measured for so long is `no_data`. */
  noDataMs: number
  /** A longer pause between two values does not count as time beyond, or within, the limit. */
  maxGapMs: number
}

export type AlertMove = 'fired' | 'resolved' | 'lost' | 'returned'

export function newInstance(atMs: number): AlertInstance {
  return {
    state: 'ok',
    sinceMs: atMs,
    breachedSinceMs: null,
    clearSinceMs: null,
    firedAtMs: null,
    lastValueMs: null,
    lastMs: atMs,
    value: null,
    peak: null,
  }
}

/**
 * The instance after an observation, and how it moved, if it did. `worse` tells the worse of two values. A moment that was
 * looked at already changes nothing; after a clock was set back further than a gap, times continue from the new clock.
 */
export function advance(
  before: AlertInstance,
  observation: Observation,
  timing: AlertTiming,
  worse: (a: number, b: number) => number,
): { instance: AlertInstance; move?: AlertMove } {
  const { atMs } = observation
  if (atMs <= before.lastMs && before.lastValueMs !== null) {
    if (before.lastMs - atMs <= timing.maxGapMs) return { instance: before }
    return advance(shifted(before, atMs), observation, timing, worse)
  }
  if (observation.isBreached === null) return withoutValue(before, atMs, timing)
  const hasGap = before.lastValueMs === null || atMs - before.lastValueMs > timing.maxGapMs
  const seen = { ...before, lastMs: atMs, lastValueMs: atMs, value: observation.value }
  return observation.isBreached
    ? breached(seen, { ...observation, hasGap }, timing, worse)
    : within(seen, atMs, hasGap, timing)
}

type Step = { instance: AlertInstance; move?: AlertMove }

function withoutValue(before: AlertInstance, atMs: number, { noDataMs }: AlertTiming): Step {
  const instance = { ...before, lastMs: atMs }
  if (before.state === 'no_data' || atMs - (before.lastValueMs ?? before.sinceMs) < noDataMs)
    return { instance }
  return {
    instance: { ...instance, state: 'no_data', sinceMs: atMs, breachedSinceMs: null, clearSinceMs: null },
    move: 'lost',
  }
}

function breached(
  seen: AlertInstance,
  { atMs, value, hasGap }: Observation & { hasGap: boolean },
  { forMs }: AlertTiming,
  worse: (a: number, b: number) => number,
): Step {
  const isNew = seen.breachedSinceMs === null || hasGap
  const breachedSinceMs = isNew ? atMs : (seen.breachedSinceMs ?? atMs)
  const isOpen = seen.firedAtMs !== null
  const known = isNew && !isOpen ? null : seen.peak
  const peak = value === null ? known : known === null ? value : worse(known, value)
  const next = { ...seen, breachedSinceMs, clearSinceMs: null, peak }
  if (isOpen) return turned(next, 'firing', seen.firedAtMs ?? atMs)
  if (atMs - breachedSinceMs < forMs) return turned(next, 'pending', breachedSinceMs)
  return { instance: { ...next, state: 'firing', sinceMs: atMs, firedAtMs: atMs }, move: 'fired' }
}

function within(seen: AlertInstance, atMs: number, hasGap: boolean, { clearMs }: AlertTiming): Step {
  const next = { ...seen, breachedSinceMs: null }
  if (seen.firedAtMs === null)
    return turned(
      { ...next, peak: null, clearSinceMs: null },
      'ok',
      seen.state === 'ok' ? seen.sinceMs : atMs,
    )
  const clearSinceMs = seen.clearSinceMs === null || hasGap ? atMs : seen.clearSinceMs
  if (atMs - clearSinceMs < clearMs) return turned({ ...next, clearSinceMs }, 'firing', seen.firedAtMs)
  return {
    instance: { ...next, state: 'ok', sinceMs: atMs, firedAtMs: null, clearSinceMs: null },
    move: 'resolved',
  }
}

/** A change of state that is no news but for values that are there again. */
function turned(instance: AlertInstance, state: AlertState, sinceMs: number): Step {
  const next = { ...instance, state, sinceMs }
  return instance.state === 'no_data' ? { instance: next, move: 'returned' } : { instance: next }
}

/** The instance as of a clock that was set back: no time of it lies in the future. */
function shifted(before: AlertInstance, atMs: number): AlertInstance {
  const atMost = (ms: number | null) => (ms === null ? null : Math.min(ms, atMs - 1))
  return {
    ...before,
    sinceMs: Math.min(before.sinceMs, atMs - 1),
    breachedSinceMs: atMost(before.breachedSinceMs),
    clearSinceMs: atMost(before.clearSinceMs),
    firedAtMs: atMost(before.firedAtMs),
    lastValueMs: atMost(before.lastValueMs),
    lastMs: atMs - 1,
  }
}
