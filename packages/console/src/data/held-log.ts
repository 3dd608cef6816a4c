import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey } from './api-query.ts'
import { addLines, gapAfter } from './run-log.ts'
import type { RunLog } from './run-log.ts'
import { useOrganizationId } from './session.ts'

/** Lines that one call reads at most. */
export const pageLimit = 200

/**
 * What the console holds of a run's log: filled by `useRun` and by WORKFLOW_LOG; lines that the socket missed are read
 * and join it. Undefined until the run was read.
 */
export function useHeldLog(id: string, runId: string) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  const queryKey = apiKey(organizationId, 'workflows.runLogs', { params: { id, runId } })
  // There is no call that answers all of it.
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
  return { log, gap, queryKey }
}
