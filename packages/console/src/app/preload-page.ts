import type { AnyRouter } from '@tanstack/react-router'
import { session } from '../data/session.ts'

/** Asks for chunk and data of the page at the address while the frame around it is still being rendered. */
export function preloadPage(router: AnyRouter): void {
  if (session.get().phase === 'signed-out') return
  const { pathname, search } = router.latestLocation
  for (const { routeId } of router.matchRoutes(pathname, search)) {
    void router.routesById[routeId].options.component?.preload?.()
  }
}
