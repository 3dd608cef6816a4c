import type { Dashboard, DashboardOverview } from '@bey/contract'
import { dashboardMarksSince, dashboardMetrics, dashboardRuns, metricQuery } from '@bey/contract'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, keepPosition } from '../lib/api.ts'
import { apiKey } from './api-query.ts'
import { setOrganizationHealth } from './organization-health.ts'
import { heardPosition, isReadAt } from './positions.ts'
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

/** The figures; the first read brings everything else that the dashboard shows along. */
export function dashboardQuery(organizationId: number) {
  return queryOptions<Dashboard>({
    queryKey: apiKey(organizationId, 'analytics.dashboard'),
    queryFn: async ({ signal, client, queryKey }) => {
      const isFirst = client.getQueryData(queryKey) === undefined
      const dashboard = isFirst
        ? await readOverview(client, organizationId, signal)
        : await api.call('analytics.dashboard', {}, { signal })
      setOrganizationHealth(organizationId, dashboard.summary.state)
      return dashboard
    },
  })
}

/** Reads everything that the dashboard shows at first. Each part is kept under its own key, where it is read again. */
async function readOverview(
  cache: QueryClient,
  organizationId: number,
  signal: AbortSignal,
): Promise<Dashboard> {
  const overview = await api.call('analytics.overview', {}, { signal })
  const { dashboard } = overview
  keepPosition(overview, dashboard)
  for (const [queryKey, part] of partsOf(overview, organizationId)) {
    keepPosition(overview, part)
    cache.setQueryData(queryKey, part)
    // An event that came while the overview was read found nothing to write into.
    const query = cache.getQueryCache().find({ queryKey, exact: true })
    if (query && !isReadAt(query, heardPosition())) query.invalidate()
  }
  return dashboard
}

/** Says that somebody is here. What fails is said again minutes later. */
export function recordVisit(): void {
  api.call('analytics.visit', {}).catch(() => undefined)
}

function partsOf(
  { dashboard, runs, metrics, services, outlook, layout, since }: DashboardOverview,
  organizationId: number,
): [QueryKey, object][] {
  const parts: [QueryKey, object][] = [
    [apiKey(organizationId, 'analytics.since'), { since }],
    [apiKey(organizationId, 'analytics.services', { query: { hours: 24 } }), services],
    [apiKey(organizationId, 'analytics.outlook'), outlook],
    [apiKey(organizationId, 'analytics.layout'), layout],
  ]
  const runsKey = (query: object) => apiKey(organizationId, 'workflows.allRuns', { query })
  if (runs) {
    const since = dashboardMarksSince()
    parts.push([runsKey({ limit: dashboardRuns.listed }), runs.listed])
    parts.push([runsKey({ limit: dashboardRuns.marked, since }), runs.marked])
  }
  const questions = dashboardMetrics(dashboard.clusterRows)
  if (!metrics || !questions) return parts
  for (const part of ['use', 'trends', 'failing', 'degraded'] as const) {
    const { entity } = questions[part]
    const query = metricQuery(questions[part])
    parts.push([apiKey(organizationId, 'metrics.read', { params: { entity }, query }), metrics[part]])
  }
  return parts
}
