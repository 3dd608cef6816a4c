import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { measuredTypes } from './measured.ts'
import { metricUnits } from './catalog.ts'
import { metricBounds } from './names.ts'
import { givenTime, timestamp, uuid } from '../base/schema.ts'
import { metricQueryBounds } from './query-bounds.ts'

export const metricSeconds = (max: number) =>
  z.coerce.number().int().min(metricBounds.minRangeSeconds).max(max)

/** A PromQL expression. */
export const metricExpression = z.string().trim().min(1).max(metricQueryBounds.maxExpressionLength)

export const metricQueryResult = z
  .object({
    from: timestamp,
    to: timestamp,
    stepMs: z.number().int(),
    /** The series with the highest last values, sorted by them. */
    series: z
      .array(
        z.object({
          /** The metric; null where the expression computes something new. */
          name: z.string().nullable(),
          labels: z.record(z.string(), z.string()),
          /** One per step, the first at `from`; null where there is no value. */
          values: z.array(z.number().nullable()).max(metricBounds.maxPoints),
        }),
      )
      .max(metricQueryBounds.maxSeriesShown),
    /** How many series the expression has, shown or not. */
    seriesCount: z.number().int(),
    /** Null where the expression has no known unit. */
    unit: z.enum(metricUnits).nullable(),
    /** Sentences about what the reader may not expect. */
    warnings: z.array(z.string()).max(20),
  })
  .meta({ id: 'MetricQueryResult' })
export type MetricQueryResult = z.infer<typeof metricQueryResult>

const catalogMetric = z.object({
  name: z.string(),
  entity: z.enum(measuredTypes),
  /** Null for a metric that this version does not describe. */
  meaning: z.string().nullable(),
  unit: z.enum(metricUnits).nullable(),
  /** Names of the labels that its series have, those of the entity included. */
  labels: z.array(z.string()).max(50),
  seriesCount: z.number().int(),
  /** Sum of the newest values of the entities as a whole (average for percentages); null without one in 5 minutes. */
  lastValue: z.number().nullable(),
})
export const metricCatalogList = z
  .object({ metrics: z.array(catalogMetric).max(metricQueryBounds.maxMetricNames) })
  .meta({ id: 'MetricCatalog' })
export type CatalogMetric = z.infer<typeof catalogMetric>

export const metricQueryEndpoints = {
  'metrics.query': endpoint({
    method: 'GET',
    path: '/api/metrics-query',
    summary: 'Evaluate a PromQL expression over a range of time',
    access: 'analytics.read',
    query: z.object({
      expr: metricExpression,
      /** Length of the range in seconds; 3,600 by default. Not with `from`. */
      range: metricSeconds(metricBounds.maxRangeSeconds).optional(),
      /** End of the range with `range`; now by default. */
      end: givenTime.optional(),
      /** Start and end of the range, instead of `range`. */
      from: givenTime.optional(),
      to: givenTime.optional(),
      /** Seconds of a step; about 240 steps by default. It is never finer than what is still stored of the range. */
      step: z.coerce.number().int().min(15).max(86_400).optional(),
      /** A data source, whose own PromQL the expression then is; Bey's store by default. */
      source: uuid.optional(),
    }),
    response: metricQueryResult,
    errors: ['not_found', 'source_unreachable'],
  }),
  'metrics.catalog': endpoint({
    method: 'GET',
    path: '/api/metrics-catalog',
    summary: 'List the metrics of the organization with meaning and unit',
    access: 'analytics.read',
    response: metricCatalogList,
  }),
} as const
