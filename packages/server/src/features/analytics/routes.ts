import { leftBefore } from '@bey/contract/analytics/visit-rules'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Handlers, TenantCaller } from '../../platform/http/handlers.ts'
import type { createOverview } from './overview.ts'
import type { AnalyticsService } from './service.ts'
import type { createOutlook } from './outlook/outlook.ts'
import type { createServices } from './services/services.ts'
import type { createSince, SinceReader } from './since/since.ts'
import { readVisits, recordVisit } from './since/visit-store.ts'

export function analyticsRoutes({
  analytics,
  overview,
  services,
  outlook,
  since,
  database,
  clock,
}: {
  analytics: AnalyticsService
  overview: ReturnType<typeof createOverview>
  services: ReturnType<typeof createServices>
  outlook: ReturnType<typeof createOutlook>
  since: ReturnType<typeof createSince>
  database: Pick<Database, 'withTenant' | 'readTenant'>
  clock: Clock
}): Handlers<
  | 'analytics.dashboard'
  | 'analytics.overview'
  | 'analytics.services'
  | 'analytics.outlook'
  | 'analytics.since'
  | 'analytics.visit'
> {
  return {
    'analytics.dashboard': ({ caller }) => analytics.dashboard(caller.organizationId),
    'analytics.overview': ({ caller }) => overview(readerOf(caller)),
    'analytics.services': ({ caller, query }) => services(readerOf(caller), query.hours),
    'analytics.outlook': ({ caller }) => outlook(readerOf(caller)),
    'analytics.since': async ({ caller }) => ({ since: await since(readerOf(caller)) }),
    'analytics.visit': async ({ caller }) => {
      const { organizationId, user, impersonator } = caller
      const now = clock.now()
      // Whoever looks in under another identity does not change when its owner was here.
      const visits = impersonator
        ? await database.readTenant(organizationId, (db) => readVisits(db, organizationId, user.id))
        : await database.withTenant(organizationId, (db) => recordVisit(db, organizationId, user.id, now))
      return { leftAt: leftBefore(visits, now)?.toISOString() ?? null }
    },
  }
}

const readerOf = ({ organizationId, role, user }: TenantCaller): SinceReader => ({
  organizationId,
  role,
  userId: user.id,
})
