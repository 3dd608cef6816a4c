import type { ResourcePath } from '../http/request-info.ts'
import { isTrue } from './request.ts'

const verbs: Record<string, string> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** The verb that authorization knows, or undefined for a method that the API has no use for. */
export function verbOf(method: string, path: ResourcePath, query: URLSearchParams): string | undefined {
  const verb = verbs[method]
  if (path.name === undefined) {
    if (verb === 'get') return isTrue(query, 'watch') ? 'watch' : 'list'
    if (verb === 'delete') return 'deletecollection'
    return verb
  }
  return verb === 'get' && !path.subresource && isTrue(query, 'watch') ? 'watch' : verb
}
