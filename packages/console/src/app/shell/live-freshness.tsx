import { lazy, Suspense, useEffect, useState } from 'react'
import { useLive } from '../../data/live.ts'
import { Freshness } from '../../ui/freshness.tsx'
import { useDelayed } from '../../ui/skeleton.tsx'
import { useSettled } from '../use-settled.ts'

const LiveDetails = lazy(() => import('./live-details.tsx'))

/** A first connection takes a moment; saying "reconnecting" meanwhile would alarm for nothing. */
const firstConnectionMs = 2_000

/** Beside the refresh button: whether what is shown follows the server, and since when not. */
export function LiveFreshness() {
  const { state } = useLive()
  const isSettled = useSettled()
  const [lastLiveAt, setLastLiveAt] = useState<Date>()
  useEffect(() => {
    if (state !== 'live') return
    return () => setLastLiveAt(new Date())
  }, [state])
  const isLate = useDelayed(state !== 'live', firstConnectionMs)
  if (state !== 'live' && lastLiveAt === undefined && !isLate) return null
  const freshness = <Freshness state={state} asOf={lastLiveAt} />
  if (!isSettled) return freshness
  return (
    <Suspense fallback={freshness}>
      <LiveDetails state={state}>{freshness}</LiveDetails>
    </Suspense>
  )
}
