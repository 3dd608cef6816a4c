/** Time as the sandbox sees it; tests inject one that they move by hand. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls once after `delayMs` and returns what cancels it. A pending timer never keeps the process alive. */
  after(delayMs: number, run: () => void): () => void
  /** Calls in a later turn of the event loop. `isOver` tells when that turn should be left to others. */
  soon(run: (isOver: () => boolean) => void): void
}

const longestTimerMs = 2 ** 31 - 1
const turnMs = 8

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, delayMs), longestTimerMs))
    timer.unref()
    return () => clearTimeout(timer)
  },
  soon(run) {
    setImmediate(() => {
      const endMs = performance.now() + turnMs
      run(() => performance.now() > endMs)
    })
  },
}

/** RFC 3339 with whole seconds, as Kubernetes writes times. */
export function stamp(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`
}

/** RFC 3339 with microseconds, as Leases and new events carry it. */
export function microStamp(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 23)}000Z`
}
