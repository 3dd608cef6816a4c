import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../lib/api.ts'
import { pageLimit, useHeldLog } from './held-log.ts'
import { addEarlier, contiguousLines } from './run-log.ts'
import type { RunLog } from './run-log.ts'

/** The log of a run: what the run's detail brought and the socket added, without gaps, and the way to what came before. */
export function useRunLog(id: string, runId: string) {
  const cache = useQueryClient()
  const { log, queryKey } = useHeldLog(id, runId)

  const earlier = useMutation({
    mutationFn: async (before: number) =>
      api.call('workflows.runLogs', { params: { id, runId }, query: { before, limit: pageLimit } }),
    onSuccess: ({ logs, nextCursor }) =>
      cache.setQueryData<RunLog>(queryKey, (held) => (held ? addEarlier(held, logs, nextCursor) : undefined)),
  })

  const lines = useMemo(() => (log ? contiguousLines(log) : undefined), [log])
  const cursor = log?.earlier ?? null
  return {
    /** Undefined until the run was read. */
    lines,
    loadEarlier: cursor === null ? undefined : () => earlier.mutate(cursor),
    isLoadingEarlier: earlier.isPending,
    earlierError: earlier.error,
  }
}
