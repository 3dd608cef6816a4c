import type { Feature, Parts } from '../../feature.ts'
import { metricRoutes } from './routes.ts'
import { createMetricService } from './service.ts'

export function metricsFeature({ database, metrics, clock }: Parts) {
  return {
    handlers: metricRoutes(createMetricService({ database, metrics, clock })),
    retention: metrics.sweep,
  } satisfies Feature
}
