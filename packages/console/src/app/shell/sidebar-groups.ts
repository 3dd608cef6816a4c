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
  const groups = [
    { name: '', services: [dashboardService] },
    ...serviceCatalog.map(({ name, services }) => ({ name, services })),
  ]
  return groups
    .map(({ name, services }) => ({
      name,
      entries: services
        .filter((service) => service.isLaunched)
        .map((service) => filterEntry(entryOf(name, service), query))
        .filter((entry) => entry !== undefined),
    }))
    .filter((group) => group.entries.length > 0)
}

function entryOf(group: string, service: Service): SidebarEntry {
  return { key: `${group}/${service.value}`, service, routes: service.routes ?? [] }
}

/** An entry whose label contains the query, or with those of its routes that do; undefined where nothing does. */
export function filterEntry(entry: SidebarEntry, query: string): SidebarEntry | undefined {
  const needle = query.trim().toLowerCase()
  if (entry.service.label.toLowerCase().includes(needle)) return entry
  const routes = entry.routes.filter((route) => route.label.toLowerCase().includes(needle))
  return routes.length > 0 ? { ...entry, routes } : undefined
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
