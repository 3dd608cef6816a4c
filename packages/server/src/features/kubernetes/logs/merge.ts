import type { Clock } from '../../../platform/clock.ts'

/** `at` is RFC 3339 in UTC with nine digits, so that texts compare as instants. */
export type Timed = { at: string }

/** One of the sources that are merged. */
export type Channel<T extends Timed> = {
  /** From now on its items count: the others wait a moment for them. */
  opened(): void
  push(items: readonly T[]): void
  /** Resolves when it holds little enough to take more. */
  room(): Promise<void>
  /** Nothing comes for now; others do not wait for it until it pushes again. */
  rest(): void
  end(): void
}

export type Merge<T extends Timed> = {
  open(): Channel<T>
  /** The reader has taken what it was given and wants more. */
  resume(): void
  /** Whether nothing waits to be written. */
  isEmpty(): boolean
  stop(): void
}

export type MergeOptions<T> = {
  clock: Clock
  patience: Patience
  /** Takes items in order; false asks to write nothing more until `resume`. */
  write: (items: T[]) => boolean
}

type Patience = {
  /** How long is waited for a source's answer to begin. */
  openingMs: number
  /** A source that has said nothing for this long is not waited for. */
  silentMs: number
}

/** Lines that are being written are shown soon; one that comes later than this is placed by who reads. */
export const livePatience: Patience = { openingMs: 2_000, silentMs: 150 }
/** A log that is read to its end is in exact order, unless a source stops answering in the middle. */
export const wholePatience: Patience = { openingMs: 60_000, silentMs: 60_000 }

/** Items that all sources hold together before they must wait. */
const maxHeld = 8_000
const maxBatch = 500

type Lane<T> = { items: T[]; first: number; waitUntilMs: number; isEnded: boolean; wake: (() => void)[] }

/**
 * Merges sources that are each in order of time. The earliest item is written once every source has one, has ended or
 * has been silent for as long as `patience` says: what a source says after that may follow later items of others. Holds
 * a bounded number of items; who pushes waits for `room`.
 */
export function createMerge<T extends Timed>({ clock, patience, write }: MergeOptions<T>): Merge<T> {
  const lanes = new Set<Lane<T>>()
  let isBlocked = false
  let isStopped = false
  let isDraining = false
  let cancelTimer: (() => void) | undefined

  const sizeOf = (lane: Lane<T>) => lane.items.length - lane.first
  const share = () => Math.max(50, Math.floor(maxHeld / Math.max(1, lanes.size)))

  function wakeLane(lane: Lane<T>): void {
    if (lane.wake.length === 0 || sizeOf(lane) > share() / 2) return
    for (const wake of lane.wake.splice(0)) wake()
  }

  /** The lane with the earliest item, or how long to wait for the others. */
  function choose(nowMs: number): { lane?: Lane<T>; waitMs?: number } {
    let earliest: Lane<T> | undefined
    let waitMs = 0
    for (const lane of lanes) {
      const item = lane.items[lane.first]
      if (item === undefined) {
        if (!lane.isEnded && lane.waitUntilMs > nowMs) waitMs = Math.max(waitMs, lane.waitUntilMs - nowMs)
        continue
      }
      const least = earliest?.items[earliest.first]
      if (least === undefined || item.at < least.at) earliest = lane
    }
    return waitMs > 0 ? { waitMs } : earliest ? { lane: earliest } : {}
  }

  function take(lane: Lane<T>): T | undefined {
    const item = lane.items[lane.first]
    lane.first += 1
    if (lane.first > 1000) {
      lane.items = lane.items.slice(lane.first)
      lane.first = 0
    }
    return item
  }

  function drain(): void {
    isDraining = false
    cancelTimer?.()
    cancelTimer = undefined
    while (!isBlocked && !isStopped) {
      const batch: T[] = []
      let waitMs: number | undefined
      while (batch.length < maxBatch) {
        const chosen = choose(clock.monotonicMs())
        waitMs = chosen.waitMs
        const item = chosen.lane && take(chosen.lane)
        if (item === undefined) break
        batch.push(item)
      }
      if (batch.length > 0) isBlocked = !write(batch)
      for (const lane of lanes) {
        if (lane.isEnded && sizeOf(lane) === 0) lanes.delete(lane)
        wakeLane(lane)
      }
      if (waitMs !== undefined) cancelTimer = clock.setTimeout(drain, Math.ceil(waitMs))
      if (batch.length < maxBatch) return
    }
  }

  /** Later, so that what arrives together is written together. */
  function schedule(): void {
    if (isDraining || isBlocked || isStopped) return
    isDraining = true
    setImmediate(drain)
  }

  return {
    open() {
      const lane: Lane<T> = {
        items: [],
        first: 0,
        waitUntilMs: clock.monotonicMs() + patience.openingMs,
        isEnded: false,
        wake: [],
      }
      lanes.add(lane)
      const wait = (ms: number) => (lane.waitUntilMs = clock.monotonicMs() + ms)
      return {
        opened() {
          wait(patience.silentMs)
          schedule()
        },
        push(items) {
          if (lane.isEnded || isStopped) return
          for (const item of items) lane.items.push(item)
          wait(patience.silentMs)
          schedule()
        },
        room() {
          if (isStopped || sizeOf(lane) <= share()) return Promise.resolve()
          return new Promise((resolve) => lane.wake.push(resolve))
        },
        rest() {
          lane.waitUntilMs = 0
          schedule()
        },
        end() {
          lane.isEnded = true
          schedule()
        },
      }
    },
    resume() {
      isBlocked = false
      schedule()
    },
    isEmpty: () => [...lanes].every((lane) => sizeOf(lane) === 0),
    stop() {
      isStopped = true
      cancelTimer?.()
      for (const lane of lanes) for (const wake of lane.wake.splice(0)) wake()
      lanes.clear()
    },
  }
}
