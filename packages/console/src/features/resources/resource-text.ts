import { resourceKindOf } from '@bey/contract'

/** Page of one resource in the inventory. */
export function resourceHref(id: string): string {
  return `/resources/${encodeURIComponent(id)}`
}

/** The list with a query. */
export function resourceListHref(query: string): string {
  return query === '' ? '/resources' : `/resources?q=${encodeURIComponent(query)}`
}

/** "Volume claim", as a kind is called at the beginning of a label. */
export function kindLabel(kind: string): string {
  const { singular = kind } = resourceKindOf(kind) ?? {}
  return singular.charAt(0).toUpperCase() + singular.slice(1)
}

/** The graph of what a query matches. */
export function graphHref(query: string): string {
  return query === '' ? '/entity-relationships' : `/entity-relationships?query=${encodeURIComponent(query)}`
}

/** The form of an alert that fires for what a query matches. */
export function matchAlertHref(query: string): string {
  return `/analytics/alerts/create?${new URLSearchParams({ source: 'resources', expr: query }).toString()}`
}
