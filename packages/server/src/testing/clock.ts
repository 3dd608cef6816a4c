import type { Clock } from '../platform/clock.ts'

export type FakeClock = Clock & {
  /** Moves time forward, calling back in order what falls due on the way. */
  advance(byMs: number): void
  /** Sets the time of day, as an operator or NTP would; nothing falls due by it. */
  step(byMs: number): void
}

type Timer = { dueMs: number; periodMs: number | undefined; callback: () => void }

/** A clock that moves only when advanced. */
export function fakeClock(start: Date = new Date('2026-01-01T00:00:00.000Z')): FakeClock {
  let nowMs = start.getTime()
  let stepMs = 0
  const timers = new Set<Timer>()

  function add(callback: () => void, delayMs: number, periodMs: number | undefined): () => void {
    const timer = { dueMs: nowMs + delayMs, periodMs, callback }
    timers.add(timer)
    return () => timers.delete(timer)
  }

  return {
    now: () => new Date(nowMs + stepMs),
    monotonicMs: () => nowMs,
    setTimeout: (callback, delayMs) => add(callback, delayMs, undefined),
    setInterval: (callback, periodMs) => add(callback, periodMs, periodMs),
    advance(byMs) {
      const endMs = nowMs + byMs
      for (;;) {
        const [timer] = [...timers].filter((each) => each.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)
        if (timer === undefined) break
        nowMs = timer.dueMs
        if (timer.periodMs === undefined) timers.delete(timer)
        else timer.dueMs += timer.periodMs
        timer.callback()
      }
      nowMs = endMs
    },
    step(byMs) {
      stepMs += byMs
    },
  }
}
