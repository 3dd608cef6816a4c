import { deniedReason } from '@bey/contract'
import { useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useRole, useUser } from '../../data/session.ts'
import { useAnnotationMode } from '../../data/annotation-mode.ts'
import { annotationParam } from './page-url.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const Overlay = lazyPart(() => import('./overlay.tsx'))
const ShownAnnotation = lazyPart(() => import('./shown-annotation.tsx'))

/** Annotation mode over whatever page is on screen, and the note that an address asks to be shown on it. */
export default function Annotations() {
  const [isOn] = useAnnotationMode()
  const isSignedIn = useUser() !== undefined
  const mayAnnotate = deniedReason(useRole(), 'annotations.create') === undefined
  const search: Record<string, unknown> = useLocation({ select: (location) => location.search })
  const shown = search[annotationParam]
  if (!isSignedIn) return null
  return (
    <Suspense fallback={null}>
      {isOn && mayAnnotate ? <Overlay /> : null}
      {typeof shown === 'string' && shown !== '' ? <ShownAnnotation key={shown} id={shown} /> : null}
    </Suspense>
  )
}
