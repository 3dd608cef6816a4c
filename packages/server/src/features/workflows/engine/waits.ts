import type { Clock } from '../../../platform/clock.ts'

/** Longest time without a look: for what was recorded while no notification could arrive. */
const longestMs = 300_000

/** Where the steps of a run wait that have nothing to do. `onChange` is called when one begins or ends to wait. */
export function createWaits(clock: Clock, onChange: () => void) {
  const waiting = new Map<string, () => void>()
  let wakes = 0
  return {
    count: () => waiting.size,
    /** How often all were woken. Taken before a look, it lets `wait` notice what was woken during it. */
    wakes: () => wakes,
    /**
     * Resolves at that time, when all are woken, or at once if they were since `wakes` was `seen`: what the step waits for
     * may have come between its look and its wait.
     */
    wait(key: string, until: Date | null, seen: number): Promise<void> {
      if (wakes !== seen) return Promise.resolve()
      return new Promise((resolve) => {
        const inMs = until === null ? longestMs : until.getTime() - clock.now().getTime()
        const done = () => {
          stop()
          if (waiting.get(key) !== done) return
          waiting.delete(key)
          onChange()
          resolve()
        }
        const stop = clock.setTimeout(done, Math.max(0, Math.min(inMs, longestMs)))
        waiting.set(key, done)
        onChange()
      })
    },
    wakeAll(): void {
      wakes += 1
      // A step that is woken may wait again at once.
      const woken = Array.from(waiting.values())
      for (const done of woken) done()
    },
  }
}
