import { resourceKindOf } from '@bey/contract'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useChangeSearch } from '../../lib/change-search.ts'

const modes = ['explore', 'path', 'blast'] as const
export type RelationMode = (typeof modes)[number]

export const periods = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const
type Period = keyof typeof periods

/** Steps around a resource, where the address names none. */
export const defaultDepth = 2

/** What the page shows, as its address says. */
export interface RelationSearch {
  mode: RelationMode
  isTable: boolean
  /** Id of the resource that is explored, or whose blast radius is shown. */
  of: string | undefined
  from: string | undefined
  to: string | undefined
  act: 'fails' | 'deleted'
  /** A kind; only its resources are drawn. */
  kind: string | undefined
  label: string | undefined
  /** Words of the list of resources. */
  query: string | undefined
  direction: 'needs' | 'needed_by' | 'both'
  depth: number
  since: Period
  /** The kind that is open. */
  open: string | undefined
  page: number
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((each) => each === value)

export function parseRelationSearch(raw: Readonly<Record<string, unknown>>): RelationSearch {
  const text = (key: string) => {
    const value = raw[key]
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value !== '' && value.length <= 600 ? value : undefined
  }
  const whole = (key: string, min: number, max: number, usual: number) => {
    const value = Number(raw[key] ?? usual)
    return Number.isInteger(value) && value >= min && value <= max ? value : usual
  }
  const kind = text('kind')
  const open = text('open')
  return {
    mode: oneOf(modes, raw['mode']) ?? 'explore',
    isTable: raw['view'] === 'table',
    of: text('of'),
    from: text('from'),
    to: text('to'),
    act: raw['act'] === 'deleted' ? 'deleted' : 'fails',
    kind: kind !== undefined && resourceKindOf(kind) ? kind : undefined,
    label: text('label'),
    query: text('query'),
    direction: oneOf(['needs', 'needed_by', 'both'], raw['direction']) ?? 'both',
    depth: whole('depth', 1, 10, defaultDepth),
    since: oneOf(['hour', 'day', 'week'], raw['since']) ?? 'day',
    open: open !== undefined && resourceKindOf(open) ? open : undefined,
    page: whole('page', 1, 100_000, 1),
  }
}

export function useRelationSearch() {
  const raw: Record<string, unknown> = useSearch({ strict: false })
  const change = useChangeSearch()
  const search = useMemo(() => parseRelationSearch(raw), [raw])
  return { search, change }
}
