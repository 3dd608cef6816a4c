import { useEffect, useState } from 'react'
import { useLive } from './live.ts'

/** A connection that comes back sooner is not worth a word. */
const skeletonDelayMs = 3_000

/** Why actions must wait: what is on screen may be old. Undefined while it is live, or has been gone only a moment. */
export function useStaleReason(): string | undefined {
  const isLive = useLive().state === 'live'
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (isLive) return
    const timer = setTimeout(() => setLate(true), skeletonDelayMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isLive])
  return !isLive && isLate
    ? 'The connection to the server is lost, and what is shown may be old. This works again once it is live.'
    : undefined
}
