import { useEffect, useState } from 'react'

/** The longest wait of a timer in a browser. */
const maxTimerMs = 2 ** 31 - 1

/** Whether a time has come; renders again when it does. False where there is none. */
export function useDeadline(at: string | undefined): boolean {
  const [now, setNow] = useState(() => Date.now())
  const atMs = at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at)
  const leftMs = atMs - now
  useEffect(() => {
    if (leftMs <= 0 || leftMs === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(leftMs, maxTimerMs))
    return () => clearTimeout(timer)
  }, [leftMs])
  return leftMs <= 0
}
