import { dashboardService, isBelow, serviceForPath } from '@bey/contract'

export interface Crumb {
  label: string
  /** Absent on the page itself. */
  href?: string
}

const areas = [
  { label: 'Workspace', path: '/workspaces', href: '/workspaces/settings' },
  { label: 'Errors', path: '/errors', href: '/errors' },
]

/** Service, its list where the page lies below one, and the page itself. */
export function crumbsFor(path: string, title: string): Crumb[] {
  const area = areas.find((each) => isBelow(path, each.path))
  if (area)
    return area.href === path
      ? [{ label: title }]
      : [{ label: area.label, href: area.href }, { label: title }]
  const service = serviceForPath(path)
  if (service === dashboardService) return [{ label: title }]
  const routes = service.routes ?? []
  const home = routes[0]
  const above = routes
    .filter((route) => isBelow(path, route.path) && route.path !== path)
    .sort((one, other) => other.path.length - one.path.length)[0]
  const crumbs: Crumb[] = []
  if (home && service.label !== title) crumbs.push({ label: service.label, href: home.path })
  if (above && above.label !== service.label) crumbs.push({ label: above.label, href: above.path })
  return [...crumbs, { label: title }]
}
