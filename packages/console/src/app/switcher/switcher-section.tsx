import { Suspense, useCallback, useState } from 'react'
import { SwitcherButton } from './switcher-button.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { PendingLayer } from '../../ui/pending-layer.tsx'

const ServiceSwitcher = lazyPart(() => import('./service-switcher.tsx'))

/** The switcher's button at once, its panel when it is asked for. */
export function SwitcherSection({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const [isAsked, setAsked] = useState(false)
  const cancel = useCallback(() => setAsked(false), [])
  if (!isAsked) return <SwitcherButton onClick={() => setAsked(true)} />
  const pending = (
    <>
      <SwitcherButton onClick={cancel} />
      <PendingLayer onCancel={cancel} />
    </>
  )
  return (
    <Suspense fallback={pending}>
      <ServiceSwitcher onNavigate={onNavigate} />
    </Suspense>
  )
}
