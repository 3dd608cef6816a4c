import type { Handlers } from '../../../platform/http/handlers.ts'
import type { DrainService } from './drain-service.ts'

export function drainRoutes(drains: DrainService): Handlers<'kubernetes.drainNode'> {
  return {
    'kubernetes.drainNode': ({ caller, params, body }) => drains.start(caller, params.id, params.name, body),
  }
}
