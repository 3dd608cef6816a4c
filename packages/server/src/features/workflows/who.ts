import type { TenantCaller } from '../../platform/http/handlers.ts'
import type { Who } from './parts.ts'

/** Who acts on workflows, for the audit trail. */
export function whoIs(caller: TenantCaller): Who {
  const { user, role, ip, userAgent, requestId, via } = caller
  return {
    userId: user.id,
    name: user.name,
    role,
    via: via === 'kubeconfig' ? 'kubectl' : 'console',
    ip,
    userAgent,
    requestId,
  }
}
