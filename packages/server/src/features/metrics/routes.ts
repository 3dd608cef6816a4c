import type { Handlers } from '../../platform/http/handlers.ts'
import type { MetricQueries } from './query.ts'
import type { MetricService } from './service.ts'

export function metricRoutes(
  service: MetricService,
  queries: MetricQueries,
): Handlers<'metrics.read' | 'metrics.query' | 'metrics.catalog'> {
  return {
    'metrics.read': ({ caller, params, query }) => service.read(caller, params.entity, query),
    'metrics.query': ({ caller, query }) => queries.answer(caller, query),
    'metrics.catalog': async ({ caller }) => ({ metrics: await queries.catalog(caller) }),
  }
}
