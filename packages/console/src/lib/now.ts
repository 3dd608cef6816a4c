import { useEffect, useState } from 'react'
import { knownTime, useIsClockHeld } from './held-clock.ts'

/**
 * The current time in milliseconds, ticking every second while something runs; else when it last ticked. While the server
 * does not answer it stands still.
 */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(knownTime)
  const isHeld = useIsClockHeld()
  useEffect(() => {
    if (!isTicking) return
    const tick = () => setNow(knownTime())
    // What is ticked from may have been read long ago: the first tick comes at once.
    const first = setTimeout(tick, 0)
    const timer = isHeld ? undefined : setInterval(tick, 1000)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [isTicking, isHeld])
  return now
}
