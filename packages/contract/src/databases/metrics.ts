import { z } from 'zod'
import { comparedMetrics, comparisonLimits } from './comparison.ts'
import { database, databaseEndpoints } from './endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { healthStates } from '../base/health.ts'
import { metricSeconds } from '../metrics/queries.ts'
import { givenTime, pageQuery, paged, searchText, timestamp } from '../base/schema.ts'

const value = z.number().nullable()
const values = z.array(value).max(comparisonLimits.steps)

/** A value that lies outside of what is usual at this hour of the week. */
const deviation = z.object({
  metric: z.enum(['load', 'connections', 'latency']),
  /** The mean of the last minutes, in the unit of the metric. */
  value: z.number(),
  median: z.number(),
  /** How many times the median it is; null where the median is 0. */
  times: z.number().nullable(),
  isSevere: z.boolean(),
  /**
   * The first minute outside without usual ones after it, of the last 6 hours. Looked for of the 20 that are furthest out;
   * null of the others.
   */
  since: timestamp.nullable(),
  /** Of a load: what most of the sessions beyond the usual wait for; null where none stands out. */
  wait: z.enum(['cpu', 'io', 'lock', 'other']).nullable(),
})
export type DatabaseDeviation = z.infer<typeof deviation>

const comparedDatabase = z
  .object({
    database,
    /** One a step, from `from`; null where nothing was measured. */
    values,
    /** What is usual in each step; null while fewer than two of the weeks before were measured. */
    usual: z.object({ low: values, high: values }).nullable(),
    /** Weeks before in which the metric was measured, at most 4. */
    measuredWeeks: z.number().int(),
    /** Whether it should be measured and has not been for 2 minutes. */
    isOverdue: z.boolean(),
    /** Now; null where it is not measured. */
    now: z.object({
      /** Sessions at work. */
      load: value,
      /** Share of the limit, 0 to 1. */
      connections: value,
      /** Share of reads, 0 to 1. */
      cacheHit: value,
      lagMs: value,
      /** Share of what it may take, 0 to 1; null where it has no limit. */
      disk: value,
      sizeBytes: value,
      p95Ms: value,
    }),
    /** The furthest out first. */
    deviations: z.array(deviation).max(3),
    /** Days until its disk is full, at the pace of the last week; null where it does not grow, or has no limit. */
    daysUntilFull: z.number().int().nullable(),
  })
  .meta({ id: 'ComparedDatabase' })
export type ComparedDatabase = z.infer<typeof comparedDatabase>

const summary = databaseEndpoints['databases.list'].response.shape.summary

export const databaseMetricEndpoints = {
  'databases.metrics': endpoint({
    method: 'GET',
    path: '/api/databases/metrics',
    summary: 'Databases with one metric over time against what is usual, the furthest out first',
    access: 'databases.read',
    query: pageQuery.omit({ order: true }).extend({
      /** Part of the name. */
      search: searchText,
      health: z.enum(healthStates).optional(),
      metric: z.enum(comparedMetrics).default('load'),
      /** Length of the range in seconds; a day by default. */
      range: metricSeconds(comparisonLimits.maxRangeSeconds).optional(),
      /** End of the range; now by default. */
      end: givenTime.optional(),
    }),
    response: paged('databases', comparedDatabase).extend({
      from: timestamp,
      stepMs: z.number().int(),
      /** How many steps there are. */
      steps: z.number().int(),
      /** Of all databases, whatever is filtered. */
      summary: summary.extend({ outside: z.number().int() }),
    }),
  }),
} as const
