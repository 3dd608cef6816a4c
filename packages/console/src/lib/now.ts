import { useEffect, useState } from 'react'

/** The current time in milliseconds, ticking every second while something runs; else when it last ticked. */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isTicking) return
    const tick = () => setNow(Date.now())
    // What is ticked from may have been read long ago: the first tick comes at once.
    const first = setTimeout(tick, 0)
    const timer = setInterval(tick, 1000)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [isTicking])
  return now
}
