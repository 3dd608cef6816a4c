import type { Feature, Parts } from '../../feature.ts'
import { parsePromql } from '../../platform/metrics/promql/parse.ts'
import { createMetricQueries } from './query.ts'
import { prometheusRoutes } from './prometheus/routes.ts'
import { metricRoutes } from './routes.ts'
import { createMetricService } from './service.ts'
import type { SourceParts } from './sources/open-source.ts'
import { sourceRelations, sourceResources } from './sources/source-resources.ts'
import { createSourceQueries } from './sources/source-queries.ts'
import { sourceHandlers } from './sources/source-service.ts'
import { createUsual } from './usual.ts'

export function metricsFeature(
  { database, metrics, clock, outbound, refusals }: Parts,
  reach: Omit<SourceParts, 'outbound'>,
) {
  const service = createMetricService({ database, metrics, clock })
  const sources = createSourceQueries({ database, clock, outbound, ...reach })
  const queries = createMetricQueries({ database, clock, points: metrics.points, sources })
  const usual = createUsual({ query: queries.query, clock })
  return {
    readAll: service.readAll,
    query: queries.query,
    together: queries.together,
    parse: parsePromql,
    handlers: {
      ...metricRoutes(service, queries, usual),
      ...prometheusRoutes(queries, clock),
      ...sourceHandlers({ database, clock, outbound, refusals, queries: sources, ...reach }),
    },
    inventory: [sourceResources(database)],
    relations: [sourceRelations(database)],
    retention: metrics.sweep,
  } satisfies Feature & Record<'readAll' | 'query' | 'together' | 'parse', unknown>
}
