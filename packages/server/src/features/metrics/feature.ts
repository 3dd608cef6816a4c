import type { Feature, Parts } from '../../feature.ts'
import { parsePromql } from '../../platform/metrics/promql/parse.ts'
import { createMetricQueries } from './query.ts'
import { prometheusRoutes } from './prometheus/routes.ts'
import { metricRoutes } from './routes.ts'
import { createMetricService } from './service.ts'
import { createUsual } from './usual.ts'

export function metricsFeature({ database, metrics, clock }: Parts) {
  const service = createMetricService({ database, metrics, clock })
  const queries = createMetricQueries({ database, clock })
  const usual = createUsual({ query: queries.query, clock })
  return {
    readAll: service.readAll,
    query: queries.query,
    together: queries.together,
    parse: parsePromql,
    handlers: { ...metricRoutes(service, queries, usual), ...prometheusRoutes(queries, clock) },
    retention: metrics.sweep,
  } satisfies Feature & Record<'readAll' | 'query' | 'together' | 'parse', unknown>
}
