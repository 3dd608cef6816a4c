import type { DatabaseRecoverableWindow } from '@bey/contract'

export interface ShownRange {
  fromMs: number
  toMs: number
}

const minuteMs = 60_000
const beforeMs = 11 * minuteMs
const lengthMs = 20 * minuteMs

/** The 20 minutes around a moment, the most of them before it; they end now at the latest. */
export function rangeAround(atMs: number, nowMs: number): ShownRange {
  const end = Math.ceil(nowMs / minuteMs) * minuteMs
  const fromMs = Math.min(Math.floor((atMs - beforeMs) / minuteMs) * minuteMs, end - lengthMs)
  return { fromMs, toMs: fromMs + lengthMs }
}

/** The moment that such a range is around. */
export const anchorOf = ({ fromMs }: ShownRange) => fromMs + beforeMs

/** All that can be restored, until now. */
export function wholeRange({ ranges }: Pick<DatabaseRecoverableWindow, 'ranges'>, nowMs: number): ShownRange {
  const first = ranges[0]
  return { fromMs: first === undefined ? nowMs - lengthMs : Date.parse(first.from), toMs: nowMs }
}

/**
 * The window with what its running server has not archived yet: a restore lets it be archived first, so its last range ends
 * now.
 */
export function untilNow<W extends Pick<DatabaseRecoverableWindow, 'ranges'>>(
  window: W,
  isRunning: boolean,
  nowMs: number,
): W {
  const last = window.ranges.at(-1)
  if (!isRunning || last === undefined || Date.parse(last.to) >= nowMs) return window
  const to = new Date(Math.floor(nowMs / 1_000) * 1_000).toISOString()
  return { ...window, ranges: [...window.ranges.slice(0, -1), { ...last, to: to > last.to ? to : last.to }] }
}
