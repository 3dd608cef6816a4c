import type { Handlers } from '../../platform/http/handlers.ts'
import type { AnalyticsService } from './service.ts'

export function analyticsRoutes(analytics: AnalyticsService): Handlers<'analytics.dashboard'> {
  return { 'analytics.dashboard': ({ caller }) => analytics.dashboard(caller.organizationId) }
}
