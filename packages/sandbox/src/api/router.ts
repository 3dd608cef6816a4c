import type { IncomingMessage, ServerResponse } from 'node:http'
import { handleReview } from '../authz/reviews.ts'
import { isAllowed, refusal, type Attributes } from '../authz/rbac.ts'
import type { Authenticated, User } from '../http/authenticate.ts'
import { parseResourcePath, type ResourcePath } from '../http/request-info.ts'
import { warn } from '../http/warnings.ts'
import { apiVersionOf, type Kind } from '../registry/kind.ts'
import { methodNotAllowed, pathNotFound, StatusError } from '../status-error.ts'
import { handleBindings } from '../sub/binding.ts'
import { handleSubresource } from '../sub/subresource.ts'
import type { Cluster } from './context.ts'
import { handleList, sendObject } from './list.ts'
import type { ApiRequest } from './request.ts'
import { verbOf } from './verb.ts'
import { handleWatch } from './watch.ts'
import { handleCreate, handleDelete, handleDeleteCollection, handlePatch, handleUpdate } from './write.ts'

export function requireAccess(cluster: Cluster, user: User, asked: Attributes): void {
  if (isAllowed(cluster.store, user, asked)) return
  const text = refusal(user, asked)
  if ('path' in asked) throw new StatusError(403, 'Forbidden', `forbidden: ${text}`, {})
  const subject = asked.group ? `${asked.resource}.${asked.group}` : asked.resource
  const named = asked.name ? `${subject} ${JSON.stringify(asked.name)}` : subject
  const { group, name } = asked
  const details = { ...(name ? { name } : {}), ...(group ? { group } : {}), kind: asked.resource }
  throw new StatusError(403, 'Forbidden', `${named} is forbidden: ${text}`, details)
}

/** A request for someone else needs the right to be that someone, group by group. */
export function requireImpersonation(cluster: Cluster, { real, user }: Authenticated): void {
  if (real === user) return
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user.name)
  const asks: Attributes[] = [
    account
      ? {
          verb: 'impersonate',
          group: '',
          resource: 'serviceaccounts',
          namespace: account[1] ?? '',
          name: account[2] ?? '',
        }
      : { verb: 'impersonate', group: '', resource: 'users', name: user.name },
  ]
  const given = (group: string) =>
    group === 'system:authenticated' || group.startsWith('system:serviceaccounts')
  for (const group of user.groups) {
    if (!given(group)) asks.push({ verb: 'impersonate', group: '', resource: 'groups', name: group })
  }
  for (const asked of asks) requireAccess(cluster, real, asked)
}

function findKind(cluster: Cluster, path: ResourcePath): Kind {
  const kind = cluster.registry.at(path.group, path.version, path.resource)
  if (!kind) throw pathNotFound()
  if (!kind.namespaced && path.namespace !== undefined) throw pathNotFound()
  if (kind.namespaced && path.namespace === undefined && path.name !== undefined) throw pathNotFound()
  return kind
}

export type Handled = { request: IncomingMessage; response: ServerResponse; url: URL; who: Authenticated }

/** Tells clients of a kind that the version of Kubernetes which the cluster claims to be has deprecated. */
function warnOfDeprecation({ cluster, kind, response }: ApiRequest): void {
  if (kind.deprecation && 'warning' in kind.deprecation) return warn(response, kind.deprecation.warning)
  if (!kind.deprecation || Number(/^v1\.(\d+)/.exec(cluster.version)?.[1]) < kind.deprecation.minor) return
  const { minor, instead } = kind.deprecation
  const advice = instead ? `; use ${instead}` : ''
  warn(response, `${apiVersionOf(kind)} ${kind.kind} is deprecated in v1.${minor}+${advice}`)
}

/** Serves one request for a resource. Throws StatusError for all that is refused. */
export async function handleResource(
  cluster: Cluster,
  { request, response, url, who }: Handled,
  resolve: (token: string) => User | undefined,
): Promise<void> {
  const path = parseResourcePath(url.pathname)
  if (!path) throw pathNotFound()
  const query = url.searchParams
  const verb = verbOf(request.method ?? 'GET', path, query)
  if (!verb) throw methodNotAllowed()
  const { user } = who
  requireImpersonation(cluster, who)
  const { group, resource, namespace = '', name = '', subresource = '' } = path
  requireAccess(cluster, user, { verb, group, resource, subresource, namespace, name })
  const kind = findKind(cluster, path)
  const call: ApiRequest = {
    cluster,
    kind,
    namespace: path.namespace,
    name,
    subresource: path.subresource,
    query,
    user,
    request,
    response,
  }
  warnOfDeprecation(call)
  if (path.subresource) return handleSubresource(call, verb)
  if (kind.isVirtual) {
    if (verb !== 'create') throw methodNotAllowed()
    return kind.key === 'bindings' ? handleBindings(call) : handleReview(call, resolve)
  }
  if (!kind.verbs.some((one) => one === verb)) throw methodNotAllowed()
  switch (verb) {
    case 'get':
      return sendObject(call, cluster.resources.get(kind, path.namespace, name))
    case 'list':
      return handleList(call)
    case 'watch':
      return handleWatch(call)
    case 'create':
      if (path.name !== undefined) throw methodNotAllowed()
      return handleCreate(call)
    case 'update':
      return handleUpdate(call)
    case 'patch':
      return handlePatch(call)
    case 'delete':
      return handleDelete(call)
    case 'deletecollection':
      return handleDeleteCollection(call)
    default:
      throw methodNotAllowed()
  }
}
