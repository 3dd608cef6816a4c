import { z } from 'zod'
import { clusterProviders } from '../clusters/endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { attention, health, healthState, nodeCell } from '../base/health-schema.ts'
import { capacity } from '../kubernetes/endpoints.ts'
import { metricRange } from '../metrics/endpoints.ts'
import { numericId, timestamp } from '../base/schema.ts'
import { dashboardLayout } from './layout.ts'
import { outlook } from './outlook.ts'
import { serviceStrips } from './services.ts'
import { sinceYouLeft } from './since.ts'
import { runList } from '../workflows/endpoints.ts'

/** Figures of the whole organization. What could not be read counts in `unreachableClusters`, never as zero. */
export const dashboard = z
  .object({
    /**
     * How the organization is, in words: "3 workloads failing in prod-eu-1". `healthy` only when everything was looked
     * at. `since` is separate, because the reader's time zone is known only to the browser.
     */
    summary: z.object({
      state: healthState,
      text: z.string(),
      detail: z.string(),
      since: timestamp.nullable(),
    }),
    attention,
    clusters: z.object({ total: z.number().int(), byStatus: z.record(z.string(), z.number().int()) }),
    nodes: z.object({ total: z.number().int(), ready: z.number().int() }),
    pods: z.object({ total: z.number().int(), byPhase: z.record(z.string(), z.number().int()) }),
    capacity,
    /** Runs that were queued in the last 24 hours. */
    runs24h: z.object({
      total: z.number().int(),
      byStatus: z.record(z.string(), z.number().int()),
      /** Given where there are more: each status is counted up to 10,000. */
      totalIsExact: z.literal(false).optional(),
    }),
    /** One row a running cluster. */
    clusterRows: z
      .array(
        z.object({
          id: numericId,
          title: z.string(),
          /** `sandbox` figures are simulated. */
          provider: z.enum(clusterProviders),
          region: z.string(),
          version: z.string(),
          health,
          failingPods: z.number().int(),
          /** At most 24 nodes, by name; those that fail are always among them. */
          nodeMap: z.array(nodeCell).max(24),
          nodes: z.object({ total: z.number().int(), ready: z.number().int() }),
          pods: z.object({ total: z.number().int(), byPhase: z.record(z.string(), z.number().int()) }),
          capacity,
        }),
      )
      .max(200),
    /** Running clusters whose figures are missing above, with the reason. */
    unreachableClusters: z
      .array(z.object({ id: numericId, title: z.string(), reason: z.string(), since: timestamp.nullable() }))
      .max(200),
    asOf: timestamp,
  })
  .meta({ id: 'Dashboard' })
export type Dashboard = z.infer<typeof dashboard>

/**
 * All that the dashboard shows at first. A part is null where the caller may not read it, and `metrics` also where no
 * cluster runs; each other part is what its own endpoint answers to the questions of `dashboard-parts.ts`.
 */
const overview = z
  .object({
    dashboard,
    runs: z
      .object({
        listed: runList,
        /** Of the last day. */
        marked: runList,
      })
      .nullable(),
    metrics: z
      .object({ use: metricRange, trends: metricRange, failing: metricRange, degraded: metricRange })
      .nullable(),
    /** Over a day. */
    services: serviceStrips,
    outlook,
    layout: dashboardLayout,
    /** Null during the reader's first visit. */
    since: sinceYouLeft.nullable(),
  })
  .meta({ id: 'DashboardOverview' })
export type DashboardOverview = z.infer<typeof overview>

export const analyticsEndpoints = {
  'analytics.dashboard': endpoint({
    method: 'GET',
    path: '/api/analytics/dashboard',
    summary: 'Clusters, nodes, pods, capacity and runs of the organization',
    access: 'analytics.read',
    response: dashboard,
  }),
  'analytics.overview': endpoint({
    method: 'GET',
    path: '/api/analytics/overview',
    summary: 'The dashboard with its newest runs and curves, in one reply',
    access: 'analytics.read',
    response: overview,
  }),
} as const
