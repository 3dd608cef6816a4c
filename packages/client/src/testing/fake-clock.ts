import type { Clock } from '../clock.ts'

export type FakeClock = Clock & {
  /** Moves time, calling back whatever falls due on the way in its order. */
  advance: (durationMs: number) => void
  /** Moves the time of day while timers stand still, as the sleep of a computer does. */
  sleep: (durationMs: number) => void
  /** How many timers wait. */
  pending: () => number
}

export function fakeClock(startMs = Date.UTC(2026, 10, 21, 12)): FakeClock {
  let nowMs = startMs
  let count = 0
  const timers = new Map<number, { atMs: number; callback: () => void }>()

  function nextBefore(endMs: number) {
    let found: { id: number; atMs: number; callback: () => void } | undefined
    for (const [id, timer] of timers) {
      if (timer.atMs <= endMs && (!found || timer.atMs < found.atMs)) found = { id, ...timer }
    }
    return found
  }

  return {
    now: () => nowMs,
    setTimeout(callback, delayMs) {
      count += 1
      const id = count
      timers.set(id, { atMs: nowMs + delayMs, callback })
      return () => timers.delete(id)
    },
    advance(durationMs) {
      const endMs = nowMs + durationMs
      for (let due = nextBefore(endMs); due; due = nextBefore(endMs)) {
        timers.delete(due.id)
        nowMs = due.atMs
        due.callback()
      }
      nowMs = endMs
    },
    sleep(durationMs) {
      nowMs += durationMs
      for (const timer of timers.values()) timer.atMs += durationMs
    },
    pending: () => timers.size,
  }
}
