import { useEffect, useState } from 'react'
import { useIsClockHeld } from '../lib/held-clock.ts'
import { useLive } from './live.ts'

/** A connection that comes back sooner is not worth a word. */
const skeletonDelayMs = 3_000

/** Why actions must wait: what is on screen may be old. Undefined while it is live, or has been gone only a moment; a server that gives no answer has been asked for seconds. */
export function useStaleReason(): string | undefined {
  const isLive = useLive().state === 'live'
  const isUnanswered = useIsClockHeld()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (isLive) return
    const timer = setTimeout(() => setLate(true), skeletonDelayMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isLive])
  return isUnanswered || (!isLive && isLate)
    ? 'The connection to the server is lost, and what is shown may be old. This works again once it is live.'
    : undefined
}
