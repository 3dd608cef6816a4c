import { useQuery } from '@tanstack/react-query'
import { apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

/** No event tells that a pod of any cluster changed; the server answers from what it watches anyway. */
const refreshMs = 15_000

/** Figures of the whole organization, as the server last read them; read again at events of runs and clusters. */
export function useDashboard() {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'analytics.dashboard', {}),
    refetchInterval: refreshMs,
  })
}
