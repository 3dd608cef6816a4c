import { Suspense, useState } from 'react'
import { useLive } from '../../data/live.ts'
import { useStaleSince } from '../../data/stale-age.ts'
import { Freshness } from '../../ui/freshness.tsx'
import type { FreshnessProps } from '../../ui/freshness.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { useShownSilence } from '../../lib/page-silence.ts'
import { useDelayed } from '../../ui/skeleton.tsx'
import { useSettled } from '../../data/use-settled.ts'

const LiveDetails = lazyPart(() => import('./live-details.tsx'))

/** A first connection takes a moment that needs no words. */
const firstConnectionMs = 2_000

/** Beside the refresh button: whether what is shown follows the server, and since when not. */
export function LiveFreshness() {
  // Room for the longest text, left of which is nothing on a wide screen: the toolbar keeps its place.
  return (
    <div className="flex min-w-0 justify-end lg:min-w-56">
      <Status />
    </div>
  )
}

function Status() {
  const { state } = useLive()
  const isSettled = useSettled()
  // Known before any effect has run: the button must not go for an instant, and its open dialog with it.
  const [wasLive, setWasLive] = useState(false)
  if (state === 'live' && !wasLive) setWasLive(true)
  const isLate = useDelayed(state !== 'live', firstConnectionMs)
  if (state !== 'live' && !wasLive && !isLate) return null
  const freshness = state === 'live' ? <Live /> : <Stale state={state} />
  if (!isSettled) return freshness
  return (
    <Suspense fallback={freshness}>
      <LiveDetails>{freshness}</LiveDetails>
    </Suspense>
  )
}

/** The server is there; what the page is about may not be. */
function Live() {
  const silentSince = useShownSilence()
  return silentSince === undefined ? (
    <Freshness state="live" />
  ) : (
    <Freshness state="silent" asOf={new Date(silentSince)} />
  )
}

function Stale({ state }: Pick<FreshnessProps, 'state'>) {
  const since = useStaleSince()
  return <Freshness state={state} asOf={since === undefined ? undefined : new Date(since)} />
}
