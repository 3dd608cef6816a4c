import { answer } from '../../platform/http/answer.ts'
import type { Handlers, TenantCaller } from '../../platform/http/handlers.ts'
import type { Who } from './record-change.ts'
import type { Annotations } from './service.ts'

export function annotationRoutes(
  annotations: Annotations,
): Handlers<
  | 'annotations.create'
  | 'annotations.list'
  | 'annotations.places'
  | 'annotations.get'
  | 'annotations.reply'
  | 'annotations.update'
  | 'annotations.delete'
  | 'annotations.export'
> {
  return {
    'annotations.create': ({ caller, body }) => annotations.create(caller.organizationId, body, who(caller)),
    'annotations.list': ({ caller, query }) => annotations.list(caller.organizationId, query, caller.host),
    'annotations.places': ({ caller }) => annotations.places(caller.organizationId),
    'annotations.get': ({ caller, params }) => annotations.get(caller.organizationId, params.id),
    'annotations.reply': ({ caller, params, body }) =>
      annotations.reply(caller.organizationId, params.id, body.text, who(caller)),
    'annotations.update': ({ caller, params, body }) =>
      annotations.update(caller.organizationId, params.id, body, who(caller)),
    'annotations.delete': ({ caller, params }) =>
      annotations.remove(caller.organizationId, params.id, who(caller)),
    'annotations.export': async ({ caller, query }) => {
      const { format, ...filter } = query
      const asker = { ...who(caller), organizationName: caller.organizationName }
      const file = await annotations.export(caller.organizationId, filter, format, asker)
      return answer(file.text, {
        headers: {
          'content-type': file.mediaType,
          'content-disposition': `attachment; filename="${file.fileName}"`,
        },
      })
    },
  }
}

function who(caller: TenantCaller): Who {
  const { user, host, ip, userAgent, requestId, via } = caller
  return {
    userId: user.id,
    name: user.name,
    host,
    via: via === 'kubeconfig' ? 'kubectl' : 'console',
    ip,
    userAgent,
    requestId,
  }
}
