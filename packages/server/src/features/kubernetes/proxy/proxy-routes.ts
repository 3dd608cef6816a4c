import type { Handlers, RawHandler, RawName } from '../../../platform/http/handlers.ts'
import { viaNow } from '../../../platform/audit/assistant.ts'
import { originOf } from '../../../platform/http/access.ts'
import { refuseUpgrade, type Upgrade } from '../../../platform/http/upgrades.ts'
import { isOwnOrigin, type OwnOrigins } from '../../../platform/live/origin.ts'
import { streamTicket } from './headers.ts'
import { isProxyUrl } from './admission.ts'
import type { Proxy } from './proxy.ts'
import { clusterRootUrl } from './root-path.ts'

export function proxyRoutes(proxy: Proxy): Handlers<RawName> {
  const handler: RawHandler = async (request, reply) => {
    reply.hijack()
    const isByAssistant = viaNow('api') === 'mcp'
    await proxy.handle(request.raw, reply.raw, {
      ...originOf(request),
      ...(isByAssistant && { via: 'mcp' as const }),
    })
  }
  return {
    'kubernetes.proxyGet': handler,
    'kubernetes.proxyPost': handler,
    'kubernetes.proxyPut': handler,
    'kubernetes.proxyPatch': handler,
    'kubernetes.proxyDelete': handler,
  }
}

/** Exec, attach, port-forward and watches over a WebSocket. */
export function proxyUpgrade(proxy: Proxy, origins: OwnOrigins): Upgrade {
  return {
    takes: (path, request) => isProxyUrl(path) || clusterRootUrl(request) !== undefined,
    handle(request, socket, head, address) {
      // A ticket is for the console alone; anyone who sends a token of their own may come from anywhere.
      if (streamTicket(request.headers) !== undefined && !isOwnOrigin(request, origins))
        return refuseUpgrade(
          socket,
          403,
          'This page does not belong to Bey, so its ticket opens nothing here.',
        )
      request.url = clusterRootUrl(request) ?? request.url
      void proxy.upgrade(request, socket, head, address)
    },
  }
}
