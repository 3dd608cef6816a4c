import { useEffect, useState } from 'react'
import { useLive } from '../../data/live.ts'
import { Freshness } from '../../ui/freshness.tsx'
import { useDelayed } from '../../ui/skeleton.tsx'

/** A first connection takes a moment; saying "reconnecting" meanwhile would alarm for nothing. */
const firstConnectionMs = 2_000

/** Beside the refresh button: whether what is shown follows the server, and since when not. */
export function LiveFreshness() {
  const { state } = useLive()
  const [lastLiveAt, setLastLiveAt] = useState<Date>()
  useEffect(() => {
    if (state !== 'live') return
    return () => setLastLiveAt(new Date())
  }, [state])
  const isLate = useDelayed(state !== 'live', firstConnectionMs)
  if (state === 'live') return <Freshness state="live" />
  if (lastLiveAt === undefined && !isLate) return null
  return <Freshness state={state} asOf={lastLiveAt} />
}
