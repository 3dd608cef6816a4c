import type { Dashboard } from '@bey/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey } from './api-query.ts'
import { setOrganizationHealth } from './organization-health.ts'
import { queryClient } from './query-client.ts'
import { signedInOrganizationId, useOrganizationId } from './session.ts'

/** Use of nodes and pods is measured every 15 s, without an event. Health has one: CLUSTERS_UPDATE. */
const refreshMs = 30_000

/** Health and figures of the whole organization; read again at events of runs and clusters. */
export function useDashboard() {
  return useQuery({
    ...dashboardQuery(useOrganizationId()),
    refetchInterval: refreshMs,
  })
}

/** Asks for the figures while the page's own script is still on its way; the page finds them, or the request. */
export function prefetchDashboard(): void {
  const organizationId = signedInOrganizationId()
  if (organizationId === undefined) return
  // A failure is kept by the query and shown by the page.
  queryClient.query(dashboardQuery(organizationId)).catch(() => undefined)
}

function dashboardQuery(organizationId: number) {
  return queryOptions<Dashboard>({
    queryKey: apiKey(organizationId, 'analytics.dashboard'),
    queryFn: async ({ signal }) => {
      const dashboard = await api.call('analytics.dashboard', {}, { signal })
      setOrganizationHealth(organizationId, dashboard.summary.state)
      return dashboard
    },
  })
}
