import { useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useChangeSearch } from '../../lib/change-search.ts'

export interface ApiLocation {
  /** Name of the chosen endpoint, as the address has it. */
  endpoint: string | undefined
  filter: string
  setFilter: (text: string) => void
}

/** The chosen endpoint and the filter of the list, kept in the address. */
export function useApiLocation(): ApiLocation {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const { endpoint, q } = search
  const setFilter = useCallback((text: string) => changeSearch({ q: text }), [changeSearch])
  return {
    endpoint: typeof endpoint === 'string' ? endpoint : undefined,
    filter: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
    setFilter,
  }
}

/** The address of an endpoint in the explorer. */
export function endpointHref(name: string | undefined, filter: string): string {
  const search = new URLSearchParams()
  if (name) search.set('endpoint', name)
  if (filter) search.set('q', filter)
  return search.size === 0 ? '/test-api' : `/test-api?${search.toString()}`
}
