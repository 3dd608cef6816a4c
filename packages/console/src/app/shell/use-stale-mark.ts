import { useEffect } from 'react'
import { useLive } from '../../data/live.ts'
import { useDelayed } from '../../ui/skeleton.tsx'

/** A switch of the organization and a short drop reconnect within this time; colours do not flicker for them. */
const skeletonDelayMs = 500

/** Marks the page as stale while it does not follow the server: states then lose their colours, in styles.css. */
export function useStaleMark(): void {
  const { state, lastLiveAt } = useLive()
  // Before the first connection, what is shown has just been read.
  const isStale = useDelayed(
    state === 'disconnected' || (state !== 'live' && lastLiveAt !== undefined),
    skeletonDelayMs,
  )
  useEffect(() => {
    if (!isStale) return
    const { dataset } = document.documentElement
    dataset['stale'] = ''
    return () => void delete dataset['stale']
  }, [isStale])
}
