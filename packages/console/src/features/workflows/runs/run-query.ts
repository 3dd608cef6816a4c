import type { RunStatus } from '@bey/contract'
import { runStatuses } from '@bey/contract'
import { useMemo, useState } from 'react'
import type { RunListQuery } from '../../../data/run-lists.ts'
import type { RunCountQuery } from '../../../data/workflows.ts'
import type { ListLocation } from '../../../lib/list-location.ts'
import { oneOf } from '../../../lib/list-location.ts'
import type { ListSearch } from '../../../lib/list-search.ts'

export const runTriggers = ['manual', 'schedule', 'webhook', 'event', 'system'] as const

const minuteMs = 60_000

/** Spans of time that end now, with their length in milliseconds. */
export const runPeriods = {
  '1h': { label: 'Last hour', ms: 60 * minuteMs },
  '24h': { label: 'Last 24 hours', ms: 24 * 60 * minuteMs },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * 60 * minuteMs },
  '30d': { label: 'Last 30 days', ms: 30 * 24 * 60 * minuteMs },
} as const

/** Names of the periods, the shortest first. */
export const periodNames = ['1h', '24h', '7d', '30d'] as const

/** The statuses that the address names, separated by commas; whatever is none is left out. */
export function statusesOf(search: ListSearch): readonly RunStatus[] {
  const named = (search.status ?? '').split(',')
  return runStatuses.filter((status) => named.includes(status))
}

/** What the list and its counts ask the server for, from the address. */
export function useRunQuery({ search }: ListLocation): { list: RunListQuery; counts: RunCountQuery } {
  const { period, from, to } = search
  const [openedAt] = useState(Date.now)
  // Rounded, so that the same address asks the same for a while.
  const since = useMemo(() => {
    const known = oneOf(periodNames, period)
    if (!known) return undefined
    return new Date(Math.floor((openedAt - runPeriods[known].ms) / minuteMs) * minuteMs).toISOString()
  }, [period, openedAt])
  const counts: RunCountQuery = {}
  const trigger = oneOf(runTriggers, search.trigger)
  const begin = since ?? instantOf(from)
  const end = since === undefined ? instantOf(to) : undefined
  if (search.q) counts.search = search.q
  if (search.workflow && uuid.test(search.workflow)) counts.workflowId = search.workflow
  if (trigger) counts.trigger = trigger
  if (begin) counts.since = begin
  if (end) counts.until = end
  const list: RunListQuery = { ...counts }
  const statuses = statusesOf(search)
  const sort = oneOf(['queuedAt', 'status'], search.sort)
  if (statuses.length > 0) list.status = statuses.join(',')
  if (sort) list.sort = sort
  if (search.order) list.order = search.order
  if (search.page) list.page = search.page
  return { list, counts }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An instant that anybody may have written; undefined where it is none. */
function instantOf(text: string | undefined): string | undefined {
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
