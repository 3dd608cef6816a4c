import { Suspense, useCallback, useState } from 'react'
import { useSettled } from '../../data/use-settled.ts'
import { BellButton } from './bell-button.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { PendingLayer } from '../../ui/pending-layer.tsx'

const NotificationCentre = lazyPart(() => import('./notification-centre.tsx'))

/** The bell at once; what it knows and opens once the first page stands, or when it is asked for. */
export function Notifications({ isMobile }: { isMobile: boolean }) {
  const isSettled = useSettled()
  const [isAsked, setAsked] = useState(false)
  const cancel = useCallback(() => setAsked(false), [])
  const button = <BellButton onClick={() => setAsked(!isAsked)} />
  if (!isSettled && !isAsked) return button
  return (
    <Suspense
      fallback={
        <>
          {button}
          {isAsked ? <PendingLayer onCancel={cancel} /> : null}
        </>
      }
    >
      <NotificationCentre isMobile={isMobile} isInitiallyOpen={isAsked} />
    </Suspense>
  )
}
