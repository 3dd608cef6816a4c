import type { CallInput, CallOutput } from '@bey/contract'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { curveMs } from './metric-stream.ts'
import { useOrganizationId } from './session.ts'

export type Board = CallOutput<'boards.get'>
export type BoardReading = CallOutput<'boards.reading'>
type MetricQuery = NonNullable<CallInput<'metrics.query'>['query']> & {
  expr: string
  range: number
  end?: string
}

export const boardReducers: Pick<LiveReducers, 'BOARDS_UPDATE'> = {
  BOARDS_UPDATE: (cache, { organizationId }) => refetchBelow(cache, organizationId, apiPath('boards.list')),
}

/** What several expressions return, in their order. Those that end now are read again as often as a curve moves. */
export function useMetricQueries(asked: readonly MetricQuery[], isEnabled: boolean) {
  const organizationId = useOrganizationId()
  const results = useQueries({
    queries: asked.map((query) => ({
      // Not the key of the reply alone: the time it took is kept with it.
      queryKey: [...apiKey(organizationId, 'metrics.query', { query }), 'timed'],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const startedAt = performance.now()
        const answer = await api.call('metrics.query', { query }, { signal })
        return { answer, durationMs: performance.now() - startedAt }
      },
      enabled: isEnabled,
      placeholderData: keepPreviousData,
      refetchInterval: query.end === undefined ? curveMs(query.range) : (false as const),
    })),
  })
  const durations = results.flatMap(({ data }) => (data ? [data.durationMs] : []))
  return {
    answers: results.flatMap(({ data }) => (data ? [data.answer] : [])),
    isComplete: results.every(({ data }) => data !== undefined),
    error: results.find(({ error, data }) => error && !data)?.error ?? null,
    isFetching: results.some(({ isFetching }) => isFetching),
    durationMs: durations.length > 0 ? Math.max(...durations) : undefined,
    refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
  }
}
