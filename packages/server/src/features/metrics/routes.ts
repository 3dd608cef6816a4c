import type { Handlers } from '../../platform/http/handlers.ts'
import type { MetricService } from './service.ts'

export function metricRoutes(service: MetricService): Handlers<'metrics.read'> {
  return { 'metrics.read': ({ caller, params, query }) => service.read(caller, params.entity, query) }
}
