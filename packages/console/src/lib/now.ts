import { useEffect, useState } from 'react'

/** The current time in milliseconds, ticking every second while something runs. */
export function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isTicking) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isTicking])
  return isTicking ? now : Date.now()
}
