import { useQuery } from '@tanstack/react-query'
import { apiQuery } from './api-query.ts'
import { useOrganizationId } from './session.ts'

/** Figures of the whole organization, as the server last read them. */
export function useDashboard() {
  return useQuery(apiQuery(useOrganizationId(), 'analytics.dashboard', {}))
}
