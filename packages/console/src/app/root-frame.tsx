import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { LinkProvider } from '../ui/link.tsx'
import { TooltipLayer } from '../ui/tooltip.tsx'
import { RouteAnnouncer } from './route-announcer.tsx'
import { renderRouterLink } from './router-link.tsx'

const Toaster = lazy(() => import('../ui/toaster.tsx'))

/** What surrounds every page: links, tooltips, toasts, titles. */
export function RootFrame() {
  return (
    <LinkProvider value={renderRouterLink}>
      <RouteAnnouncer />
      <Outlet />
      <TooltipLayer />
      <Suspense fallback={null}>
        <Toaster />
      </Suspense>
    </LinkProvider>
  )
}
