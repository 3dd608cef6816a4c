import type { StepLog } from '@bey/contract'
import { useQueries } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { api } from '../lib/api.ts'
import { pageLimit, useHeldLog } from './held-log.ts'
import { contiguousLines } from './run-log.ts'

/** The lines that are on screen, by their places in the whole log: the first is 0. */
export interface LogRange {
  first: number
  last: number
}

/**
 * The whole log of a run as a window onto it: lines are numbered without gaps, so the number of the last one says how
 * many there are, and only those that `range` shows are read. The tail comes with the run and from the socket.
 */
export function useLogWindow(id: string, runId: string, range: LogRange) {
  const { log, gap, queryKey } = useHeldLog(id, runId)
  const tail = useMemo(() => (log ? contiguousLines(log) : []), [log])
  const tailFrom = tail[0]?.seq ?? 1
  const pages = pagesOf(range, tailFrom)
  const replies = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...queryKey, { page }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.call(
          'workflows.runLogs',
          { params: { id, runId }, query: { after: page * pageLimit, limit: pageLimit } },
          { signal },
        ),
      // Lines that were written never change.
      staleTime: Infinity,
    })),
    combine: (all) => ({
      data: all.map((each) => each.data?.logs),
      error: all.find((each) => each.error)?.error ?? undefined,
    }),
  })
  const { data } = replies
  const firstPage = pages[0] ?? 0
  const lineAt = useCallback(
    (index: number): StepLog | undefined => {
      const seq = index + 1
      if (seq >= tailFrom) return tail[seq - tailFrom]
      const page = pageOf(index)
      return data[page - firstPage]?.[index - page * pageLimit]
    },
    [tail, tailFrom, data, firstPage],
  )
  return {
    /** Undefined until the run was read. */
    count: log && (tail.at(-1)?.seq ?? 0),
    lineAt,
    /** Lines after this one were missed and are being read. */
    gap,
    error: replies.error,
  }
}

/** Whether two ranges lie on the same pages, so that the lines of both are read for either. */
export function isSamePages(a: LogRange, b: LogRange): boolean {
  return pageOf(a.first) === pageOf(b.first) && pageOf(a.last) === pageOf(b.last)
}

const pageOf = (index: number) => Math.floor(index / pageLimit)

/** The pages that hold the lines of a range, save those that the tail holds. */
function pagesOf({ first, last }: LogRange, tailFrom: number): number[] {
  const end = Math.min((pageOf(last) + 1) * pageLimit - 1, tailFrom - 2)
  if (end < first) return []
  const from = pageOf(first)
  return Array.from({ length: pageOf(end) - from + 1 }, (_, index) => from + index)
}
