import { useQuery } from '@tanstack/react-query'
import { apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

const cacheMs = 30_000

/**
 * The workflow engine as the developer tools see it: cached for 30 s, asked again when the engine says that it
 * changed. Its `refetch` goes past the cache. A failure is shown at once instead of being retried first.
 */
export function useEngineStatus() {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'workflows.engineStatusCamel', {}),
    staleTime: cacheMs,
    refetchInterval: cacheMs,
    networkMode: 'always',
    retry: false,
  })
}
