import type { Clock } from '@bey/client'

/** The browser's own time, looked up at each call. */
export function realClockOf(): Clock {
  return {
    now: () => Date.now(),
    setTimeout(callback, delayMs) {
      const timer = setTimeout(callback, delayMs)
      return () => clearTimeout(timer)
    },
  }
}
