import type { Feature, Parts } from '../../feature.ts'
import { createOverview } from './overview.ts'
import type { OverviewParts } from './overview.ts'
import { analyticsRoutes } from './routes.ts'
import { createAnalyticsService } from './service.ts'
import { shareDashboard } from './shared-dashboard.ts'
import { layoutHandlers } from './layout/layout.ts'
import { createOutlook } from './outlook/outlook.ts'
import { recordServices } from './services/recorder.ts'
import { createServices } from './services/services.ts'
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
  { database, live, metrics, clock, log, config }: Parts,
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
  const health = { databaseHealth, networkHealth, ingressHealth, alertHealth }
  const services = createServices({ ...health, database, dashboard, metrics, clock })
  const outlook = createOutlook({ database, dashboard, ingressHealth, metrics, clock })
  const overview = createOverview({ database, dashboard, runs, readMetrics, services, outlook, since, clock })
  // A process that only serves requests leaves the recording to the others.
  const recorder =
    config.role === 'web' ? undefined : recordServices({ ...health, database, metrics, clock, log })
  return {
    handlers: {
      ...analyticsRoutes({ analytics: { dashboard }, overview, services, outlook, since, database, clock }),
      ...layoutHandlers({ database, clock }),
    },
    close: async () => recorder?.stop(),
  } satisfies Feature
}
