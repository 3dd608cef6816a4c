/** Time as the client sees it, so that tests can move it. */
export type Clock = {
  /** Milliseconds since 1970. */
  now: () => number
  /** Calls back once after `delayMs`; the returned function cancels it. */
  setTimeout: (callback: () => void, delayMs: number) => () => void
}

export const realClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, delayMs) {
    const timer = setTimeout(callback, delayMs)
    return () => clearTimeout(timer)
  },
}
