import { answer } from '../../platform/http/answer.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
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
    'annotations.create': ({ caller, body }) => annotations.create(body, caller),
    'annotations.list': ({ caller, query }) => annotations.list(caller.organizationId, query, caller.host),
    'annotations.places': ({ caller }) => annotations.places(caller.organizationId),
    'annotations.get': ({ caller, params }) => annotations.get(caller.organizationId, params.id),
    'annotations.reply': ({ caller, params, body }) => annotations.reply(params.id, body.text, caller),
    'annotations.update': ({ caller, params, body }) => annotations.update(params.id, body, caller),
    'annotations.delete': ({ caller, params }) => annotations.remove(params.id, caller),
    'annotations.export': async ({ caller, query }) => {
      const { format, ...filter } = query
      const file = await annotations.export(filter, format, caller)
      return answer(file.text, {
        headers: {
          'content-type': file.mediaType,
          'content-disposition': `attachment; filename="${file.fileName}"`,
        },
      })
    },
  }
}
