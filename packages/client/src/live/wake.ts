import type { Clock } from '../clock.ts'

const beatMs = 5_000
/** A beat that is this late was not merely held up: the computer slept, or the browser froze the page. */
const sleptMs = 10_000

/** Calls back soon after the computer slept, during which timers stand still but the time of day goes on. */
export function watchSleep(clock: Clock, onWake: () => void): () => void {
  let cancel = () => {}
  const beat = () => {
    const dueAt = clock.now() + beatMs
    cancel = clock.setTimeout(() => {
      const lateMs = clock.now() - dueAt
      beat()
      if (lateMs >= sleptMs) onWake()
    }, beatMs)
  }
  beat()
  return () => cancel()
}
