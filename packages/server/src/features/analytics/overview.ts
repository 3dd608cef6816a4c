import type { DashboardOverview } from '@bey/contract'
import { dashboardMarksSince, dashboardMetrics, dashboardRuns, metricQuery } from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { mayNow } from '../../platform/keys/key-rights.ts'
import type { MetricService } from '../metrics/service.ts'
import type { Workflows } from '../workflows/service.ts'
import type { AnalyticsService } from './service.ts'
import { layoutOf } from './layout/layout.ts'
import type { createOutlook } from './outlook/outlook.ts'
import type { createServices } from './services/services.ts'
import type { createSince, SinceReader } from './since/since.ts'

export type OverviewParts = {
  database: Pick<Database, 'readTenant'>
  dashboard: AnalyticsService['dashboard']
  runs: Workflows['runs']
  readMetrics: MetricService['readAll']
  services: ReturnType<typeof createServices>
  outlook: ReturnType<typeof createOutlook>
  since: ReturnType<typeof createSince>
  clock: Clock
}

type Reader = SinceReader

/** Everything that the dashboard shows at first, read at once for the one reply that a cold page waits for. */
export function createOverview(parts: OverviewParts) {
  const { dashboard, runs, readMetrics, services, outlook, since, clock } = parts

  async function readRuns({ organizationId, role }: Reader): Promise<DashboardOverview['runs']> {
    if (!mayNow(role, 'workflows.read')) return null
    const newest = { page: 1, sort: 'queuedAt' } as const
    const since = dashboardMarksSince({ end: clock.now().toISOString() })
    const [listed, marked] = await Promise.all([
      runs(organizationId, { ...newest, limit: dashboardRuns.listed }),
      runs(organizationId, { ...newest, limit: dashboardRuns.marked, since }),
    ])
    return { listed, marked }
  }

  async function readCurves(
    reader: Reader,
    rows: DashboardOverview['dashboard']['clusterRows'],
  ): Promise<DashboardOverview['metrics']> {
    const questions = dashboardMetrics(rows)
    if (!questions || !mayNow(reader.role, 'clusters.read')) return null
    const asked = [questions.use, questions.trends, questions.failing, questions.degraded]
    const [use, trends, failing, degraded] = await readMetrics(reader, 'cluster', asked.map(metricQuery))
    return use && trends && failing && degraded ? { use, trends, failing, degraded } : null
  }

  return async (reader: Reader): Promise<DashboardOverview> => {
    const { organizationId, userId } = reader
    const [figures, newestRuns, layout] = await Promise.all([
      dashboard(organizationId),
      readRuns(reader),
      parts.database.readTenant(organizationId, (db) => layoutOf(db, organizationId, userId)),
    ])
    const [metrics, strips, ahead, happened] = await Promise.all([
      readCurves(reader, figures.clusterRows),
      services(reader, 24, figures),
      outlook(reader, figures),
      since(reader, figures),
    ])
    return {
      dashboard: figures,
      runs: newestRuns,
      metrics,
      services: strips,
      outlook: ahead,
      layout,
      since: happened,
    }
  }
}
