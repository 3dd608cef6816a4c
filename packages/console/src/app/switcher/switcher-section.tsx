import { Suspense, useState } from 'react'
import { SwitcherButton } from './switcher-button.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'

const ServiceSwitcher = lazyPart(() => import('./service-switcher.tsx'))

/** The switcher's button at once, its panel when it is asked for. */
export function SwitcherSection({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const [isAsked, setAsked] = useState(false)
  const button = <SwitcherButton onClick={() => setAsked(true)} />
  if (!isAsked) return button
  return (
    <Suspense fallback={button}>
      <ServiceSwitcher onNavigate={onNavigate} />
    </Suspense>
  )
}
