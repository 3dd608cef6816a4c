import type { Clock } from './clock.ts'

/** A clock that stands still until a test moves it, so that the same steps always have the same outcome. */
export type ManualClock = Clock & {
  /** Does what is to be done at this moment, and what follows from that. */
  settle(): void
  /** Moves on by so much, doing what falls due on the way, in order of time. */
  advance(ms: number): void
}

type Timer = { dueMs: number; order: number; run: (() => void) | undefined }

function isBefore(a: Timer | undefined, b: Timer | undefined): boolean {
  if (!a || !b) return a !== undefined
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order)
}

/** Adds to a binary heap whose first element is the earliest timer. */
function push(heap: Timer[], timer: Timer): void {
  let place = heap.push(timer) - 1
  while (place > 0) {
    const above = (place - 1) >> 1
    if (!isBefore(timer, heap[above])) break
    swap(heap, place, above)
    place = above
  }
}

function pop(heap: Timer[]): void {
  const last = heap.pop()
  if (!last || heap.length === 0) return
  heap[0] = last
  for (let place = 0; ;) {
    const left = 2 * place + 1
    const below = isBefore(heap[left + 1], heap[left]) ? left + 1 : left
    if (!isBefore(heap[below], last)) return
    swap(heap, place, below)
    place = below
  }
}

function swap(heap: Timer[], a: number, b: number): void {
  const [one, other] = [heap[a], heap[b]]
  if (one && other) [heap[a], heap[b]] = [other, one]
}

/** Starts at a moment for which certificates are good on any machine, unless another is given. */
export function manualClock(startMs: number = Date.UTC(2025, 0, 1)): ManualClock {
  const timers: Timer[] = []
  let turns: ((isOver: () => boolean) => void)[] = []
  let nowMs = startMs
  let order = 0

  const settle = () => {
    while (turns.length > 0) {
      const due = turns
      turns = []
      for (const run of due) run(() => false)
    }
  }
  return {
    now: () => nowMs,
    after(delayMs, run) {
      const timer: Timer = { dueMs: nowMs + Math.max(0, delayMs), order: order++, run }
      push(timers, timer)
      return () => {
        timer.run = undefined
      }
    },
    soon(run) {
      turns.push(run)
    },
    settle,
    advance(ms) {
      const endMs = nowMs + ms
      settle()
      for (let next = timers[0]; next && next.dueMs <= endMs; next = timers[0]) {
        pop(timers)
        nowMs = Math.max(nowMs, next.dueMs)
        next.run?.()
        settle()
      }
      nowMs = endMs
    },
  }
}
