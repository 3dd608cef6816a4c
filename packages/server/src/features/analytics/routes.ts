import type { Handlers } from '../../platform/http/handlers.ts'
import type { createOverview } from './overview.ts'
import type { AnalyticsService } from './service.ts'

export function analyticsRoutes(
  analytics: AnalyticsService,
  overview: ReturnType<typeof createOverview>,
): Handlers<'analytics.dashboard' | 'analytics.overview'> {
  return {
    'analytics.dashboard': ({ caller }) => analytics.dashboard(caller.organizationId),
    'analytics.overview': ({ caller }) => overview(caller),
  }
}
