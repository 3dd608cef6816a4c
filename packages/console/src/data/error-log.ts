import type { CallInput, ErrorGroupStatus } from '@bey/contract'
import type { QueryClient } from '@tanstack/react-query'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, apiQuery, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'
import { useRefetch } from './use-refetch.ts'

export type ErrorListQuery = NonNullable<CallInput<'errors.list'>['query']>
export type ErrorPeriod = NonNullable<ErrorListQuery['period']>

const errorsPath = apiPath('errors.list')

/** One occurrence with its traced stack; nothing is asked while its id is not known. */
export function useErrorOccurrence(id: string, occurrenceId: string | undefined) {
  const params = { id, occurrenceId: occurrenceId ?? '' }
  return useQuery({
    ...apiQuery(useOrganizationId(), 'errors.occurrence', { params }),
    enabled: occurrenceId !== undefined,
    // What happened does not change.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Every occurrence that is kept, the latest first. */
export function useErrorOccurrences(id: string) {
  const query = { limit: keptOccurrences }
  return useQuery(apiQuery(useOrganizationId(), 'errors.occurrences', { params: { id }, query }))
}

/** The server keeps fewer of one error. */
const keptOccurrences = 100

/** Resolves, ignores or opens errors again, and answers what became of each. Everything that shows them is read anew. */
export function useSetErrorStatus() {
  const refetch = useRefetch(errorsPath)
  return useMutation({
    mutationFn: (changes: readonly { id: string; status: ErrorGroupStatus }[]) =>
      Promise.allSettled(
        changes.map(({ id, status }) => api.call('errors.update', { params: { id }, body: { status } })),
      ),
    onSettled: refetch,
  })
}

/** Errors may arrive many at a time: what shows them is read again at most so often. */
const refetchSpacingMs = 1_000
let lastRefetchAt = 0
let refetchTimer: ReturnType<typeof setTimeout> | undefined

export const errorLogReducers = {
  ERRORS_UPDATE: (cache: QueryClient, { organizationId }: { organizationId: number }) => {
    if (refetchTimer !== undefined) return
    const waitMs = Math.max(0, lastRefetchAt + refetchSpacingMs - Date.now())
    refetchTimer = setTimeout(() => {
      refetchTimer = undefined
      lastRefetchAt = Date.now()
      refetchBelow(cache, organizationId, errorsPath)
    }, waitMs)
  },
}
