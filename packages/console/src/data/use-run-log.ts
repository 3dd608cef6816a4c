import { keepPreviousData, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../lib/api.ts'
import { apiKey } from './api-query.ts'
import { addEarlier, addLines, contiguousLines, gapAfter } from './run-log.ts'
import type { RunLog } from './run-log.ts'
import { useOrganizationId } from './session.ts'

const pageLimit = 200

/** The log of a run: what the run's detail brought and the socket added, without gaps, and the way to what came before. */
export function useRunLog(id: string, runId: string) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  const queryKey = apiKey(organizationId, 'workflows.runLogs', { params: { id, runId } })
  // Filled by `useRun` and by WORKFLOW_LOG; there is no call that answers all of it.
  const { data: log } = useQuery<RunLog>({ queryKey, queryFn: skipToken, structuralSharing: false })
  const gap = log ? gapAfter(log) : undefined

  useQuery({
    queryKey: [...queryKey, { after: gap }],
    queryFn: async ({ signal }) => {
      const query = { after: gap ?? 0, limit: pageLimit }
      const page = await api.call('workflows.runLogs', { params: { id, runId }, query }, { signal })
      cache.setQueryData<RunLog>(queryKey, (held) => (held ? addLines(held, page.logs) : undefined))
      return page.logs.length
    },
    enabled: gap !== undefined,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })

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
