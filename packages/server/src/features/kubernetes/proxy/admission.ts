import type { IncomingMessage } from 'node:http'
import { clusterCan, type KubernetesAct } from '@bey/contract'
import { mayTouch } from '../../../platform/keys/key-rights.ts'
import type { Identity } from '../connection/identity.ts'
import type { ClusterSummary } from '../connection/ports.ts'
import { authorize } from './authorize.ts'
import type { ProxyCaller } from './caller.ts'
import { ownIdentity, requestedIdentity } from './impersonation.ts'
import type { NamedInBody } from './object-in-body.ts'
import type { RequestInfo } from './request-info.ts'
import { requestInfo, safeSegments } from './request-info.ts'
import type { StatusObject } from './status-object.ts'
import {
  badRequest,
  clusterNotFound,
  forbidden,
  methodNotAllowed,
  serviceUnavailable,
} from './status-object.ts'

/** Who sends a request, by a token that is within its limit, or by the SHA-256 of the one that a ticket represents. */
export type Asker = { caller: ProxyCaller | 'outsider'; token: string | Buffer; isPage: boolean }

export type FindCluster = (organizationId: number, clusterId: number) => Promise<ClusterSummary | undefined>

/** What the body of a request says for its audit entry. */
export type SaidByBody = {
  /** How the object of a creation is called, which its path does not say. */
  namedInBody?: NamedInBody | undefined
  /** What it is for, where its verb does not say it. */
  act?: KubernetesAct | undefined
}

/** What somebody asks of a cluster of their organization. */
export type Asked = SaidByBody & {
  caller: ProxyCaller
  cluster: ClusterSummary
  info: RequestInfo
  query: URLSearchParams
  token: string | Buffer
  /** A page of a workload is opened in a tab by a service session. */
  isPage: boolean
  /** For whom the cluster shall take the request: the caller, or whom they ask to speak for. */
  identity: Identity
  isImpersonated: boolean
  /** How the cluster calls Bey, where Bey acts in its own name because it may not in the caller's. */
  actsAs?: string
}

/** A request that may go on to its cluster. */
export type Admitted = Asked & {
  /** Raw path and query for the cluster, as they came. */
  target: string
}

/** A request that may not. Who and what are known when the role alone was the reason. */
export type Refused = { status: StatusObject; denied?: Asked }

const pathPattern = /^\/api\/kubernetes\/clusters\/([^/?]+)\/proxy(\/[^?]*)?(\?.*)?$/
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Whether a raw URL is one of the proxy's. */
export function isProxyUrl(url: string | undefined): boolean {
  return pathPattern.test(url ?? '')
}

/** The number of the cluster in a URL of the proxy's. */
export function clusterIdInUrl(url: string | undefined): number | undefined {
  const id = /^[1-9]\d{0,9}$/.exec(pathPattern.exec(url ?? '')?.[1] ?? '')?.[0]
  return id !== undefined && Number(id) <= 2_147_483_647 ? Number(id) : undefined
}

/** Path and query for the cluster in a URL of the proxy's, as they came. */
export function targetInUrl(url: string | undefined): string {
  const [, , path = '/', search = ''] = pathPattern.exec(url ?? '') ?? []
  return path + search
}

/** For which cluster, for what, and whether they may. Asks the database; throws when it is down. */
export async function admit(
  request: IncomingMessage,
  { caller, token, isPage }: Asker,
  findCluster: FindCluster,
): Promise<Admitted | Refused> {
  const [, idText = '', path = '/', search = ''] = pathPattern.exec(request.url ?? '') ?? []
  const clusterId = clusterIdOf(idText, caller)
  const isTheirs = caller !== 'outsider' && (caller.onlyClusterId ?? clusterId) === clusterId
  const { apiKey: key } = caller === 'outsider' ? {} : caller
  // Another cluster than those that a key is limited to is answered as if there were none.
  const isWithinLimits = mayTouch({ key }, [{ type: 'cluster', id: String(clusterId) }])
  const isPossible = isTheirs && isWithinLimits && clusterId > 0 && clusterId <= 2_147_483_647
  const cluster = isPossible ? await findCluster(caller.organizationId, clusterId) : undefined
  if (caller === 'outsider' || !cluster) return { status: clusterNotFound(idText) }

  const method = request.method ?? ''
  const segments = safeSegments(path)
  if (!segments) {
    return { status: badRequest('the path is ambiguous: no dot segments, empty segments or encoded slashes') }
  }
  if (!methods.has(method)) return { status: methodNotAllowed() }
  const requested = requestedIdentity(request)
  if (requested === 'invalid') return { status: badRequest('the Impersonate headers do not name one user') }
  const query = new URLSearchParams(search)
  const info = requestInfo(method, segments, query)
  const identity = requested ?? ownIdentity(caller)
  const asked = {
    caller,
    cluster,
    info,
    query,
    token,
    isPage,
    identity,
    isImpersonated: requested !== undefined,
  }

  // Also where somebody else is spoken for: nobody gets beyond their own role that way.
  const verdict = authorize(caller, info)
  if (!verdict.isAllowed) return { status: forbidden(caller.email, info, verdict.reason), denied: asked }
  const notYet = clusterCan.connect({ status: cluster.status, pending_operations: cluster.pendingOperations })
  if (notYet)
    return { status: serviceUnavailable(`The cluster "${cluster.title}" does not answer. ${notYet}`) }
  return { ...asked, target: path + search }
}

/** `self` means the one cluster that a token is for. */
function clusterIdOf(idText: string, caller: ProxyCaller | 'outsider'): number {
  if (idText === 'self') return caller === 'outsider' ? 0 : (caller.onlyClusterId ?? 0)
  return /^[1-9]\d{0,9}$/.test(idText) ? Number(idText) : 0
}
