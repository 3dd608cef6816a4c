import type { CallInput, StepLog } from '@bey/contract'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../lib/api.ts'
import { apiKey } from './api-query.ts'
import { pageLimit, useHeldLog } from './held-log.ts'
import { contiguousLines } from './run-log.ts'
import { useOrganizationId } from './session.ts'

const levels: readonly StepLog['level'][] = ['debug', 'info', 'warning', 'error']

/** Which lines of a run's log are wanted. */
export type LogFilter = Pick<
  NonNullable<CallInput<'workflows.runLogs'>['query']>,
  'stepKey' | 'level' | 'search'
>

/** The lines of a run's log that a filter lets through: the last ones, earlier ones on demand, new ones as they come. */
export function useLogPages(id: string, runId: string, filter: LogFilter) {
  const organizationId = useOrganizationId()
  const params = { id, runId }
  const query = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: apiKey(organizationId, 'workflows.runLogs', { params, query: filter }),
      queryFn: ({ signal, pageParam }) => {
        const before = pageParam === 0 ? {} : { before: pageParam }
        return api.call(
          'workflows.runLogs',
          { params, query: { ...filter, ...before, limit: pageLimit } },
          { signal },
        )
      },
      initialPageParam: 0,
      getNextPageParam: ({ logs, nextCursor }) => (logs.length < pageLimit ? undefined : nextCursor),
    }),
  )
  // What the socket brought since, for the whole run.
  const { log: live } = useHeldLog(id, runId)
  const pages = query.data?.pages
  const lines = useMemo(() => {
    if (!pages) return undefined
    const read = pages.toReversed().flatMap(({ logs }) => logs)
    const last = read.at(-1)?.seq ?? 0
    const since = live ? contiguousLines(live).filter((line) => line.seq > last && matches(line, filter)) : []
    return since.length === 0 ? read : [...read, ...since]
  }, [pages, live, filter])
  return { ...query, lines }
}

function matches(line: StepLog, { stepKey, level = 'debug', search = '' }: LogFilter): boolean {
  return (
    (stepKey === undefined || line.stepKey === stepKey) &&
    levels.indexOf(line.level) >= levels.indexOf(level) &&
    line.message.toLowerCase().includes(search.toLowerCase())
  )
}
