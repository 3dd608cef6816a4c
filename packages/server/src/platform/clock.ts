/** Time as the server sees it, so that tests can move it. */
export type Clock = {
  now(): Date
  /** Milliseconds since some fixed moment, for durations: unlike `now` it never steps when the clock is set. */
  monotonicMs(): number
  /** Calls back once after `delayMs`; the returned function cancels it. Does not keep the process alive. */
  setTimeout(callback: () => void, delayMs: number): () => void
  /** Calls back every `periodMs` until cancelled. Does not keep the process alive. */
  setInterval(callback: () => void, periodMs: number): () => void
}

export const realClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  setTimeout(callback, delayMs) {
    const timer = setTimeout(callback, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
  setInterval(callback, periodMs) {
    const timer = setInterval(callback, periodMs)
    timer.unref()
    return () => clearInterval(timer)
  },
}
