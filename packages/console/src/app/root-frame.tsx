import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '../lib/lazy-part.ts'
import { LinkProvider } from '../ui/link.tsx'
import { RefusalProvider } from '../ui/refusal.ts'
import { RouteAnnouncer } from './route-announcer.tsx'
import { useExplainRole } from './role-explanation.ts'
import { renderRouterLink } from './router-link.tsx'
import { useSettled } from '../data/use-settled.ts'

const Overlays = lazyPart(() => import('./overlays.tsx'))

/** What surrounds every page: links, tooltips, toasts, titles. */
export function RootFrame() {
  const isSettled = useSettled()
  const explainRole = useExplainRole()
  return (
    <LinkProvider value={renderRouterLink}>
      <RefusalProvider value={explainRole}>
        <RouteAnnouncer />
        <Outlet />
        {isSettled ? (
          <Suspense fallback={null}>
            <Overlays />
          </Suspense>
        ) : null}
      </RefusalProvider>
    </LinkProvider>
  )
}
