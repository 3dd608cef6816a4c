import { dashboardService, entityOf, entityTypes, isBelow, pluralLabel, serviceForPath } from '@bey/contract'
import type { PageParent } from '../lib/page-title.ts'

export interface Crumb {
  label: string
  /** Absent on the page itself. */
  href?: string
}

/** The breadcrumbs above pages that belong to no service: the workspace, and lists of entities. */
const areas = [
  { label: 'Workspace', path: '/workspaces', href: '/workspaces/settings' },
  { label: 'Documentation', path: '/docs', href: '/docs' },
  ...entityTypes
    .map((type) => ({ label: pluralLabel(type), path: entityOf(type).paths.list }))
    .filter(({ path }) => serviceForPath(path) === dashboardService)
    .map((area) => ({ ...area, href: area.path })),
]

/** Service, its list where the page lies below one, what else the page named above it, and the page itself. */
export function crumbsFor(path: string, title: string, parents: readonly PageParent[] = []): Crumb[] {
  const area = areas.find((each) => isBelow(path, each.path))
  if (area)
    return area.href === path
      ? [{ label: title }]
      : [{ label: area.label, href: area.href }, ...parents, { label: title }]
  const service = serviceForPath(path)
  if (service === dashboardService) return [...parents, { label: title }]
  const routes = service.routes ?? []
  const home = routes[0]
  const above = routes
    .filter((route) => isBelow(path, route.path) && route.path !== path)
    .sort((one, other) => other.path.length - one.path.length)
    // A page that the service lists stands beside its home, though its path is longer; only forms stand below it.
    .find((route) => route !== home || path.endsWith('/create') || !routes.some((each) => each.path === path))
  const crumbs: Crumb[] = []
  if (home && service.label !== title) crumbs.push({ label: service.label, href: home.path })
  if (above && above.label !== service.label) crumbs.push({ label: above.label, href: above.path })
  return [...crumbs, ...parents, { label: title }]
}
