import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DocHit } from '../lib/docs.ts'
import { searchDocs } from '../lib/docs.ts'

/** Every passage of the documentation: loaded once it is searched, and kept. */
export function useDocPassages(isEnabled = true) {
  return useQuery({
    queryKey: ['docs', 'passages'],
    queryFn: async () => (await import('virtual:docs/passages')).passages,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isEnabled,
  })
}

/** Passages that the palette lists at most. */
const listed = 5
const nothing: readonly DocHit[] = []

/** Passages that hold every word that is typed. */
export function useFoundPassages(query: string): { found: readonly DocHit[]; isSearching: boolean } {
  const isAsked = query.length >= 3 && query.length <= 100
  const { data, isFetching } = useDocPassages(isAsked)
  const found = useMemo(
    () => (isAsked && data ? searchDocs(data, query, { isWhole: true }).slice(0, listed) : nothing),
    [isAsked, data, query],
  )
  return { found, isSearching: isAsked && isFetching }
}
