import type { Handlers } from '../../../platform/http/handlers.ts'
import type { DrainService } from './drain-service.ts'

export function drainRoutes(drains: DrainService): Handlers<'kubernetes.drainNode'> {
  return {
    'kubernetes.drainNode': ({ caller, params, body }) => {
      const { organizationId, role, user, ip, userAgent, requestId, via } = caller
      const who = {
        organizationId,
        role,
        userId: user.id,
        name: user.name,
        email: user.email,
        via: via === 'kubeconfig' ? ('kubectl' as const) : ('console' as const),
        ip,
        userAgent,
        requestId,
      }
      return drains.start(who, params.id, params.name, body)
    },
  }
}
