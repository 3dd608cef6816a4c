import type { Feature, Parts } from '../../feature.ts'
import { createOverview } from './overview.ts'
import type { OverviewParts } from './overview.ts'
import { analyticsRoutes } from './routes.ts'
import { createAnalyticsService } from './service.ts'
import { shareDashboard } from './shared-dashboard.ts'
import { createSince } from './since/since.ts'

type Needs = Pick<
  Parameters<typeof createAnalyticsService>[0],
  | 'figures'
  | 'attentionOf'
  | 'attentionList'
  | 'alertHealth'
  | 'databaseHealth'
  | 'networkHealth'
  | 'ingressHealth'
> &
  Pick<OverviewParts, 'runs' | 'readMetrics'>

export function analyticsFeature(
  { database, live, clock }: Parts,
  {
    runs,
    readMetrics,
    figures,
    attentionOf,
    attentionList,
    alertHealth,
    databaseHealth,
    networkHealth,
    ingressHealth,
  }: Needs,
) {
  const service = createAnalyticsService({
    database,
    figures,
    attentionOf,
    attentionList,
    alertHealth,
    databaseHealth,
    networkHealth,
    ingressHealth,
    clock,
  })
  const dashboard = shareDashboard({ read: service.dashboard, position: live.position, clock })
  const since = createSince({ database, dashboard, readMetrics, clock })
  const overview = createOverview({ dashboard, runs, readMetrics, since, clock })
  return {
    handlers: analyticsRoutes({ analytics: { dashboard }, overview, since, database, clock }),
  } satisfies Feature
}
