import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { ListSearch } from './list-search.ts'
import { parseListSearch } from './list-search.ts'

export interface ListLocation {
  search: ListSearch
  /** Changes the address. A new filter or order returns to the first page. */
  change: (change: Partial<ListSearch>) => void
  /** Removes every filter and keeps the order. */
  clear: () => void
  /** Whether a filter is on. */
  isFiltered: boolean
}

/** The page, filters and order of the list on screen, read from the address and written to it. */
export function useListLocation(): ListLocation {
  const raw: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const search = useMemo(() => parseListSearch(raw), [raw])
  const change = useCallback(
    (part: Partial<ListSearch>) => {
      const search = (previous: Record<string, unknown>) => withChange(previous, part)
      // Typing a filter adds no history entry per letter. Turning a page adds one, and begins at its top. To scroll to the
      // top at every letter would lay the page out before it is drawn, and again with the rows that come.
      const isPageTurn = 'page' in part
      void navigate({ to: '.', search, replace: !isPageTurn, resetScroll: isPageTurn })
    },
    [navigate],
  )
  const clear = useCallback(() => change(noFilters), [change])
  const isFiltered = Object.keys(noFilters).some((key) => search[key as keyof typeof noFilters] !== undefined)
  return { search, change, clear, isFiltered }
}

/** The query that a list sends for its address. A sort key that the server does not know is left out. */
export function listQuery<const S extends string>(search: ListSearch, sorts: readonly S[]): ListQuery<S> {
  const query: ListQuery<S> = {}
  const sort = oneOf(sorts, search.sort)
  if (search.page) query.page = search.page
  if (search.q) query.search = search.q
  if (sort) query.sort = sort
  if (search.order) query.order = search.order
  return query
}

interface ListQuery<S extends string> extends Order<S> {
  page?: number
  search?: string
}

interface Order<S extends string = string> {
  sort?: S
  order?: 'asc' | 'desc'
}

/**
 * How a table is sorted and narrowed through the address: `asked` is the order that was asked for, `usual` the server's
 * own, and `filters` the words of the filters that are on.
 */
export function tableControls(
  listLocation: ListLocation,
  asked: Order,
  usual: { key: string; direction: 'asc' | 'desc' },
  filters: readonly (string | undefined)[],
) {
  const query = filters.filter(Boolean).join(' · ')
  return {
    sort: { key: asked.sort ?? usual.key, direction: asked.order ?? usual.direction },
    onSortChange: ({ key, direction }: typeof usual) => listLocation.change({ sort: key, order: direction }),
    filter: query ? { query, onClear: listLocation.clear } : undefined,
  }
}

const noFilters = {
  q: undefined,
  status: undefined,
  state: undefined,
  health: undefined,
  type: undefined,
  label: undefined,
  namespace: undefined,
  cluster: undefined,
  author: undefined,
  path: undefined,
  component: undefined,
  release: undefined,
  workflow: undefined,
  trigger: undefined,
}

function withChange(previous: Record<string, unknown>, change: Partial<ListSearch>): Record<string, unknown> {
  const next: Record<string, unknown> = {
    ...previous,
    ...('page' in change ? {} : { page: undefined }),
    ...change,
  }
  if (next['page'] === 1) next['page'] = undefined
  for (const [key, value] of Object.entries(next)) if (value === '') next[key] = undefined
  return next
}

/** The value if it is allowed, else undefined. Anybody may have written the address. */
export function oneOf<const T extends string>(
  allowed: readonly T[],
  value: string | undefined,
): T | undefined {
  return allowed.find((each) => each === value)
}
