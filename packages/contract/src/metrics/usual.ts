import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { metricUnits } from './catalog.ts'
import { metricExpression, metricSeconds } from './queries.ts'
import { givenTime, timestamp, uuid } from '../base/schema.ts'
import { usualRules } from './usual-band.ts'

const choice = (values: readonly number[], chosen: number) =>
  z.coerce
    .number()
    .refine((value) => values.includes(value), `Choose one of ${values.join(', ')}.`)
    .default(chosen)

const usualHour = z.object({
  median: z.number(),
  deviation: z.number(),
  low: z.number(),
  high: z.number(),
})

const metricUsual = z
  .object({
    /**
     * `several`: the expression has several series, and none was chosen. `gone`: the chosen one has no value in the range.
     * `short_history`: fewer than two of the weeks before were measured.
     */
    state: z.enum(['ready', 'short_history', 'several', 'gone']),
    /** How many of the weeks before were measured. */
    measuredWeeks: z.number().int(),
    /** An hour each, from before the range to its end; `usual` is null where too few weeks were measured. */
    hours: z.array(z.object({ from: timestamp, usual: usualHour.nullable() })).max(800),
    /** The newest value of the range, against its hour; null without a value, or without what is usual then. */
    newest: z
      .object({
        at: timestamp,
        value: z.number(),
        usual: usualHour,
        isUnusual: z.boolean(),
        /** The average of the same hour in each week before, the last week first; null where it was not measured. */
        weeks: z.array(z.number().nullable()).max(8),
      })
      .nullable(),
    unit: z.enum(metricUnits).nullable(),
  })
  .meta({ id: 'MetricUsual' })
export type MetricUsual = z.infer<typeof metricUsual>

export const metricUsualEndpoints = {
  'metrics.usual': endpoint({
    method: 'GET',
    path: '/api/metrics-usual',
    summary: 'Compare a series with the same hours of the weeks before',
    access: 'analytics.read',
    query: z.object({
      expr: metricExpression,
      /** Length of the range in seconds, 31 days at most; 3,600 by default. */
      range: metricSeconds(usualRules.maxRangeSeconds).optional(),
      /** End of the range; now by default. */
      end: givenTime.optional(),
      /** The labels of the series as a JSON object, with its name as `__name__`; needed where the expression has several. */
      series: z.string().max(4_000).optional(),
      /** A data source; Bey's store by default. */
      source: uuid.optional(),
      weeks: choice(usualRules.weeks, usualRules.chosen.weeks),
      deviations: choice(usualRules.deviations, usualRules.chosen.deviations),
    }),
    response: metricUsual,
    errors: ['not_found', 'source_unreachable'],
  }),
} as const
