import { dashboardService, isBelow, serviceCatalog, serviceForPath } from '@bey/contract'
import type { Service, ServiceRoute } from '@bey/contract'

export interface SidebarEntry {
  /** Unique in the sidebar, also for a service that stands in two groups. */
  key: string
  service: Service
  routes: readonly ServiceRoute[]
}

export interface SidebarGroup {
  name: string
  entries: readonly SidebarEntry[]
}

/** Launched services in their groups, filtered by service label or route label, case-insensitively. */
export function sidebarGroups(query: string): SidebarGroup[] {
  const needle = query.trim().toLowerCase()
  const groups = [
    { name: '', services: [dashboardService] },
    ...serviceCatalog.map(({ name, services }) => ({ name, services })),
  ]
  return groups
    .map(({ name, services }) => ({
      name,
      entries: services
        .filter((service) => service.isLaunched)
        .map((service) => entryFor(name, service, needle))
        .filter((entry) => entry !== undefined),
    }))
    .filter((group) => group.entries.length > 0)
}

function entryFor(group: string, service: Service, needle: string): SidebarEntry | undefined {
  const key = `${group}/${service.value}`
  const routes = service.routes ?? []
  if (service.label.toLowerCase().includes(needle)) return { key, service, routes }
  const matching = routes.filter((route) => route.label.toLowerCase().includes(needle))
  return matching.length > 0 ? { key, service, routes: matching } : undefined
}

/** The entry to mark for a path: the first place of the service that the path belongs to. */
export function selectedEntryKey(groups: readonly SidebarGroup[], path: string): string | undefined {
  const selected = serviceForPath(path).value
  return groups.flatMap((group) => group.entries).find((entry) => entry.service.value === selected)?.key
}

/** The route of a service that a path belongs to: the longest that prefixes it. */
export function selectedRoute(service: Service, path: string): ServiceRoute | undefined {
  return (service.routes ?? [])
    .filter((route) => isBelow(path, route.path))
    .sort((one, other) => other.path.length - one.path.length)[0]
}
