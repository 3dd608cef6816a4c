import { parseResourceQuery, resourceKindOf } from '@bey/contract'

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

/** The graph of what a query matches, as far as the graph can be narrowed: by one kind and one label. */
export function graphHref(query: string): string {
  const parsed = parseResourceQuery(query)
  const search = new URLSearchParams()
  for (const term of 'terms' in parsed ? parsed.terms : []) {
    const [value] = term.values
    if (term.isNegated || term.values.length !== 1 || value === undefined) continue
    if (term.key === 'kind' && typeof value === 'string') search.set('kind', value)
    if (term.key === 'label' && typeof value === 'object' && 'name' in value) {
      search.set('label', value.value === undefined ? value.name : `${value.name}=${value.value}`)
    }
  }
  const text = search.toString()
  return text === '' ? '/entity-relationships' : `/entity-relationships?${text}`
}
