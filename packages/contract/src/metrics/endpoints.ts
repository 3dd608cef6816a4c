import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { entityTypes } from '../base/entity-table.ts'
import { metricBounds } from './names.ts'
import { givenTime, timestamp } from '../base/schema.ts'

const values = z.array(z.number().nullable()).max(metricBounds.maxPoints)

const metricSeries = z.object({
  /** Of the entity. */
  id: z.string(),
  metric: z.string(),
  labels: z.record(z.string(), z.string()),
  /** One a step, the first at `from`; null where nothing was measured. */
  averages: values,
  /** Where they were asked for. */
  maxima: values.optional(),
})

export const metricRange = z
  .object({
    from: timestamp,
    to: timestamp,
    stepMs: z.number().int(),
    /** Series in which something was measured in the range; others are left out. */
    series: z.array(metricSeries).max(metricBounds.maxEntities * metricBounds.maxMetrics),
    /** Set while the organization has more series than are kept: when that was last, and how many were refused. */
    refused: z.object({ at: timestamp, count: z.number().int(), maxSeries: z.number().int() }).nullable(),
  })
  .meta({ id: 'MetricRange' })
export type MetricRange = z.infer<typeof metricRange>
export type MetricSeries = z.infer<typeof metricSeries>

const words = (max: number, word: RegExp, what: string) =>
  z
    .string()
    .max(6_000)
    .regex(new RegExp(`^${word.source}(,${word.source}){0,${max - 1}}$`), what)

export const metricEndpoints = {
  'metrics.read': endpoint({
    method: 'GET',
    path: '/api/metrics/{entity}',
    summary: 'What was measured of entities of one type over a range of time',
    access: 'analytics.read',
    params: z.object({ entity: z.enum(entityTypes) }),
    query: z.object({
      /** Ids with commas between them. */
      ids: words(metricBounds.maxEntities, /[\w-]{1,36}/, 'Send up to 200 ids with commas between them.'),
      /** Names with commas between them, such as `cpu_used_millicores`. */
      metrics: words(
        metricBounds.maxMetrics,
        /[a-z][a-z0-9_]{0,62}/,
        'Send up to 20 names of metrics with commas between them.',
      ),
      /** Which part of the entity, all labels of its series: `namespace=shop,pod=web-1`. */
      labels: words(
        8,
        /[a-z][a-z0-9_]{0,62}=[^,=]{1,253}/,
        'Send labels as name=value with commas between them.',
      ).optional(),
      /** Length of the range in seconds. */
      range: z.coerce
        .number()
        .int()
        .min(metricBounds.minRangeSeconds)
        .max(metricBounds.maxRangeSeconds)
        .default(86_400),
      /** Its end; now by default. */
      end: givenTime.optional(),
      /** Seconds of a step; about 240 steps by default. It is never finer than what is still stored of the range. */
      step: z.coerce.number().int().min(15).max(86_400).optional(),
      include: z.enum(['maxima']).optional(),
    }),
    response: metricRange,
    errors: ['not_found'],
  }),
} as const
