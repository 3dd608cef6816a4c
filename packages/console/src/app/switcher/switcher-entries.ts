import { dashboardService, serviceCatalog } from '@bey/contract'
import type { Service } from '@bey/contract'

export interface SwitcherEntry {
  /** Unique, also for a service that stands in two groups. */
  key: string
  service: Service
  /** Where choosing it leads; undefined for one that is not launched. */
  path: string | undefined
  /** Labels of the services that it depends on. */
  needs: readonly string[]
}

export interface SwitcherGroup {
  name: string
  entries: readonly SwitcherEntry[]
}

const services = [dashboardService, ...serviceCatalog.flatMap((category) => category.services)]
const labelOf = (value: string) => services.find((service) => service.value === value)?.label ?? value

/** Dashboard and every service in its group whose label or description contains the query, launched or not. */
export function switcherGroups(query: string): SwitcherGroup[] {
  const needle = query.trim().toLowerCase()
  const fits = ({ label, description }: Service) =>
    label.toLowerCase().includes(needle) || description.toLowerCase().includes(needle)
  return [{ name: '', services: [dashboardService] }, ...serviceCatalog]
    .map((category) => ({
      name: category.name,
      entries: category.services.filter(fits).map((service) => entryOf(category.name, service)),
    }))
    .filter((group) => group.entries.length > 0)
}

function entryOf(group: string, service: Service): SwitcherEntry {
  return {
    key: `${group}/${service.value}`,
    service,
    path: service.isLaunched ? (service.routes?.[0]?.path ?? `/${service.value}`) : undefined,
    needs: (service.dependencies ?? []).map(labelOf),
  }
}

/** The entries that can be chosen, in the order in which the arrow keys pass them. */
export function choosable(groups: readonly SwitcherGroup[]): (SwitcherEntry & { path: string })[] {
  return groups
    .flatMap((group) => group.entries)
    .filter((entry): entry is SwitcherEntry & { path: string } => entry.path !== undefined)
}
