import type { Feature, Parts } from '../../feature.ts'
import { metricRoutes } from './routes.ts'
import { createMetricService } from './service.ts'

export function metricsFeature({ database, metrics, clock }: Parts) {
  const service = createMetricService({ database, metrics, clock })
  return {
    readAll: service.readAll,
    handlers: metricRoutes(service),
    retention: metrics.sweep,
  } satisfies Feature & Record<'readAll', unknown>
}
