import type { Clock } from '../../../platform/clock.ts'

/** Longest time without a look: for what was recorded while no notification could arrive. */
const longestMs = 300_000

/** Where the steps of a run wait that have nothing to do. `onChange` is called when one begins or ends to wait. */
export function createWaits(clock: Clock, onChange: () => void) {
  const waiting = new Map<string, () => void>()
  return {
    count: () => waiting.size,
    /** Resolves at that time, or when all are woken. */
    wait(key: string, until: Date | null): Promise<void> {
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
      // A step that is woken may wait again at once.
      const woken = Array.from(waiting.values())
      for (const done of woken) done()
    },
  }
}
