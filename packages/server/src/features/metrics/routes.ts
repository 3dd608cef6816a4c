import type { Handlers } from '../../platform/http/handlers.ts'
import type { MetricQueries } from './query.ts'
import type { MetricService } from './service.ts'
import type { createUsual } from './usual.ts'

export function metricRoutes(
  service: MetricService,
  queries: MetricQueries,
  usual: ReturnType<typeof createUsual>,
): Handlers<'metrics.read' | 'metrics.query' | 'metrics.usual' | 'metrics.catalog'> {
  return {
    'metrics.read': ({ caller, params, query }) => service.read(caller, params.entity, query),
    'metrics.query': ({ caller, query }) => queries.answer(caller, query),
    'metrics.usual': ({ caller, query }) => usual(caller, query),
    'metrics.catalog': async ({ caller }) => ({ metrics: await queries.catalog(caller) }),
  }
}
