import { useMatches, useRouter } from '@tanstack/react-router'
import { useOwnPageName } from '../lib/page-title.ts'
import { useShownPath } from '../lib/shown-path.ts'
import { crumbsFor } from './crumbs.ts'
import type { Crumb } from './crumbs.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the page is called until it names itself with `usePageTitle`. */
    title?: string
  }
}

/** What the page shown is called. */
export function useTitle(): string {
  const { title: own } = useOwnPageName()
  const fromRoute = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  return own ?? fromRoute ?? 'Bey'
}

/** The name of the page's component, which itself may draw no element of its own. */
export function usePageComponent(): string | undefined {
  const { routesById } = useRouter()
  return useMatches({
    select: (matches) => nameOf(routesById[matches.at(-1)?.routeId ?? '__root__'].options.component),
  })
}

function nameOf(component: unknown): string | undefined {
  return typeof component === 'function' && 'displayName' in component
    ? String(component.displayName)
    : undefined
}

export function useCrumbs(): Crumb[] {
  const { parents, crumb } = useOwnPageName()
  const title = useTitle()
  return crumbsFor(useShownPath(), crumb ?? title, parents)
}
