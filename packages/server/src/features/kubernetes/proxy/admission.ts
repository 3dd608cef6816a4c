import type { IncomingMessage } from 'node:http'
import { clusterCan } from '@bey/contract'
import type { ClusterSummary } from '../connection/ports.ts'
import { authorize } from './authorize.ts'
import type { Identify, ProxyCaller } from './caller.ts'
import { bearerToken, impersonates } from './headers.ts'
import type { RequestInfo } from './request-info.ts'
import { requestInfo, safeSegments } from './request-info.ts'
import type { StatusObject } from './status-object.ts'
import {
  badRequest,
  clusterNotFound,
  forbidden,
  methodNotAllowed,
  serviceUnavailable,
  unauthorized,
} from './status-object.ts'

export type FindCluster = (organizationId: number, clusterId: number) => Promise<ClusterSummary | undefined>

/** A request that may go on to its cluster. */
export type Admitted = {
  caller: ProxyCaller
  cluster: ClusterSummary
  info: RequestInfo
  query: URLSearchParams
  token: string
  /** Raw path and query for the cluster, as they came. */
  target: string
}

/** A request that may not. Who and what are known when the role alone was the reason. */
export type Refused = { status: StatusObject; denied?: Omit<Admitted, 'target'> }

const pathPattern = /^\/api\/kubernetes\/clusters\/([^/?]+)\/proxy(\/[^?]*)?(\?.*)?$/
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Whether a raw URL is one of the proxy's. */
export function isProxyUrl(url: string | undefined): boolean {
  return pathPattern.test(url ?? '')
}

/** Who asks, for which cluster, for what, and whether they may. Asks the database; throws when it is down. */
export async function admit(
  request: IncomingMessage,
  identify: Identify,
  findCluster: FindCluster,
): Promise<Admitted | Refused> {
  const [, idText = '', path = '/', search = ''] = pathPattern.exec(request.url ?? '') ?? []
  const token = bearerToken(request.headers)
  const caller = token && (await identify(token, organizationHeader(request)))
  if (!token || !caller) return { status: unauthorized() }

  const clusterId = /^[1-9]\d{0,9}$/.test(idText) ? Number(idText) : 0
  const isTheirs = caller !== 'outsider' && (caller.onlyClusterId ?? clusterId) === clusterId
  const isPossible = isTheirs && clusterId > 0 && clusterId <= 2_147_483_647
  const cluster = isPossible ? await findCluster(caller.organizationId, clusterId) : undefined
  if (caller === 'outsider' || !cluster) return { status: clusterNotFound(idText) }

  const method = request.method ?? ''
  const segments = safeSegments(path)
  if (!segments) {
    return { status: badRequest('the path is ambiguous: no dot segments, empty segments or encoded slashes') }
  }
  if (!methods.has(method)) return { status: methodNotAllowed() }
  const query = new URLSearchParams(search)
  const info = requestInfo(method, segments, query)
  if (impersonates(request.headers))
    return { status: forbidden(caller.email, impersonation, noImpersonation) }

  const verdict = authorize(caller.role, info)
  if (!verdict.isAllowed) {
    const status = forbidden(caller.email, info, verdict.reason)
    return { status, denied: { caller, cluster, info, query, token } }
  }
  const notYet = clusterCan.connect({ status: cluster.status, pending_operations: cluster.pendingOperations })
  if (notYet)
    return { status: serviceUnavailable(`The cluster "${cluster.title}" does not answer. ${notYet}`) }
  return { caller, cluster, info, query, token, target: path + search }
}

const noImpersonation = 'Bey says whom it speaks for'
const impersonation: RequestInfo = {
  verb: 'impersonate',
  path: '/',
  resource: { group: '', name: 'users', subresource: '', namespace: '', objectName: '' },
}

function organizationHeader(request: IncomingMessage): number | undefined {
  const value = request.headers['x-organization-id']
  if (value === undefined) return undefined
  // What is no id is nobody's organization, rather than the active one.
  return typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) && Number(value) <= 2_147_483_647
    ? Number(value)
    : -1
}
