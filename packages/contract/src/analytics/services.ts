import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { healthState } from '../base/health-schema.ts'
import { timestamp } from '../base/schema.ts'
import { maxServiceSteps, serviceCells } from './service-rules.ts'

const row = z.object({
  /** `cluster/4`, or the service. */
  key: z.string(),
  name: z.string(),
  href: z.string(),
  /** How it is now. */
  state: healthState,
  /** What is wrong now: "7 of 188 pods failing"; null for nothing. */
  trouble: z.string().nullable(),
  /** What there is: "112 pods, 6 nodes". */
  detail: z.string(),
  cells: z.array(z.enum(serviceCells)).max(maxServiceSteps),
  /** Shares (0–1) over the same steps of what `figure` says; null for no curve. */
  trend: z.array(z.number().nullable()).max(maxServiceSteps).nullable(),
  /** "61% CPU", "27 runs"; null for none. */
  figure: z.string().nullable(),
})
export type ServiceRow = z.infer<typeof row>

/** How clusters and services were over a time, step by step on one axis. */
export const serviceStrips = z
  .object({
    from: timestamp,
    to: timestamp,
    stepMs: z.number().int(),
    rows: z.array(row).max(30),
    /** Clusters without a row of their own. */
    clustersLeftOut: z.number().int().min(0),
    /** Runs, deployments, other changes and failures within the time, oldest first; the 200 newest. */
    marks: z
      .array(
        z.object({
          at: timestamp,
          kind: z.enum(['run', 'deploy', 'change', 'failure']),
          text: z.string(),
          /** Title of the cluster where an object changed; null of runs and acts. */
          cluster: z.string().nullable(),
          href: z.string().nullable(),
        }),
      )
      .max(200),
  })
  .meta({ id: 'ServiceStrips' })
export type ServiceStrips = z.infer<typeof serviceStrips>

export const serviceEndpoints = {
  'analytics.services': endpoint({
    method: 'GET',
    path: '/api/analytics/services',
    summary: 'Health of every cluster and service over a day or a week, on one axis',
    access: 'analytics.read',
    query: z.object({
      hours: z.coerce
        .number()
        .pipe(z.union([z.literal(24), z.literal(168)]))
        .default(24),
    }),
    response: serviceStrips,
  }),
} as const
