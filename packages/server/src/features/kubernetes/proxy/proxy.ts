import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { AppError } from '../../../platform/errors.ts'
import type { KeyAccess } from '../../../platform/keys/key-access.ts'
import type { Log } from '../../../platform/log.ts'
import { isPolicyRefusal } from '../../../platform/policies/refusal.ts'
import type { ClusterAgents } from '../connection/cluster-agents.ts'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import { withoutCredentials } from '../connection/own-credentials.ts'
import type { ClusterConnection, ClusterSummary } from '../connection/ports.ts'
import type { ConnectionCache } from './connection-cache.ts'
import type { Admitted, FindCluster, SaidByBody } from './admission.ts'
import { admit } from './admission.ts'
import { answerStatus, answerStatusOnSocket } from './answer.ts'
import { createAuthentication, type TakeTicket } from './authenticate.ts'
import { auditClass } from './authorize.ts'
import type { Identify } from './caller.ts'
import { createFairTurns, fairTurns } from './fair-turns.ts'
import type { ForwardLimits } from './forward.ts'
import { forward, forwardLimits } from './forward.ts'
import { whyNoImpersonation } from './impersonation.ts'
import type { ServedResource } from './narrow-rules.ts'
import type { OpenStream, OpenStreams } from './open-streams.ts'
import type { Intent, Origin, ProxyAudit } from './proxy-audit.ts'
import { isEndless } from './request-info.ts'
import type { StatusObject } from './status-object.ts'
import {
  clusterNotFound,
  forbidden,
  internalError,
  refused,
  serviceUnavailable,
  tooManyRequests,
  unauthorized,
} from './status-object.ts'
import { upgrade } from './upgrade.ts'

export type ProxyDeps = {
  identify: Identify
  takeTicket: TakeTicket
  takeKeyTurn: KeyAccess['take']
  findCluster: FindCluster
  connections: ConnectionCache
  /** What a cluster serves; rejects where it does not answer. */
  servedBy: (cluster: ClusterSummary) => Promise<readonly ServedResource[]>
  agents: ClusterAgents
  streams: OpenStreams
  audit: ProxyAudit
  clock: Clock
  log: Log
  limits?: Partial<ForwardLimits>
}

export type Proxy = {
  /** Answers a request of `isProxyUrl`; its body must not have been read. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, origin?: Origin): Promise<void>
  /**
   * The same for a request that asks for an upgrade, as the event `upgrade` of node's server gives it. `address` is the
   * client's own; without it, that of the connection counts.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, address?: string): Promise<void>
}

/** Watches, followed logs and sessions of one user at the same time. */
const maxStreamsPerUser = 200

type Way = {
  isUpgrade: boolean
  /** Headers of whatever is answered by this server. */
  setHeaders: (headers: Record<string, string>) => void
  answer: (status: StatusObject) => void
  /** Cuts the exchange off. */
  end: () => void
  exchange: (
    admitted: Admitted,
    connection: ClusterConnection,
    on: { begin: (said?: SaidByBody) => Promise<Intent>; answered: () => void; lost: () => void },
  ) => Promise<void>
}

/** The way to the Kubernetes API of the organization's clusters: authenticates, authorizes, records, forwards. */
export function createProxy(deps: ProxyDeps): Proxy {
  const { agents, audit, connections, streams, clock, log } = deps
  const limits = { ...forwardLimits, ...deps.limits }
  const authenticate = createAuthentication(deps.identify, deps.takeTicket, deps.takeKeyTurn, clock)
  const turns = createFairTurns(clock, fairTurns)

  async function run(request: IncomingMessage, origin: Origin, way: Way): Promise<void> {
    try {
      const mark = streams.mark()
      const asker = await authenticate(request, origin, way.setHeaders)
      if ('status' in asker) return way.answer(asker.status)
      const { caller } = asker
      const giveTurnBack = await turns.take(caller === 'outsider' ? origin.ip : caller.key)
      if (!giveTurnBack) return way.answer(tooManyRequests(1000))
      try {
        const admitted = await admit(request, asker, deps.findCluster)
        if ('status' in admitted) {
          const { denied, status } = admitted
          if (denied && auditClass(denied) !== 'counted') audit.refused(denied, origin)
          return way.answer(status)
        }
        await serve(admitted, origin, way, mark, giveTurnBack)
      } finally {
        giveTurnBack()
      }
    } catch (error) {
      way.answer(statusOf(error, origin))
    }
  }

  async function serve(
    admitted: Admitted,
    origin: Origin,
    way: Way,
    mark: number,
    answered: () => void,
  ): Promise<void> {
    const { caller, cluster } = admitted
    const isStream = way.isUpgrade || isEndless(admitted.info, admitted.query)
    if (isStream && streams.countOf(caller.key) >= maxStreamsPerUser) return way.answer(tooManyRequests(1000))
    const stream = openStream(admitted, way, isStream)
    if (!streams.add(stream, mark)) return way.answer(unauthorized())
    const cancelExpiry = endAtExpiry(stream)
    try {
      const known = await connections.connect(caller.organizationId, cluster.id)
      const refusal = await impersonationRefusal(admitted, known)
      if (refusal) {
        audit.refused(admitted, origin)
        return way.answer(refusal)
      }
      const bringsToken = caller.accountToken !== undefined
      const connection = bringsToken ? withoutCredentials(known) : known
      const actsAs =
        bringsToken || known.impersonate ? undefined : (known.identity ?? 'the imported identity')
      const begin = (said: SaidByBody = {}) =>
        audit.begin({ ...admitted, ...(actsAs !== undefined && { actsAs }), ...said }, origin)
      const lost = () => connections.forget(cluster.id)
      await way.exchange(admitted, connection, { begin, answered, lost })
    } finally {
      cancelExpiry()
      streams.remove(stream)
    }
  }

  async function impersonationRefusal(
    { caller, cluster, identity, isImpersonated }: Admitted,
    connection: ClusterConnection,
  ): Promise<StatusObject | undefined> {
    if (!isImpersonated) return undefined
    try {
      const reason = await whyNoImpersonation(identity, { caller, connection, agents })
      if (!reason) return undefined
      return forbidden(caller.email, impersonation(identity.user), reason)
    } catch (error) {
      connections.forget(cluster.id)
      return serviceUnavailable(`The cluster "${cluster.title}" does not answer: ${whyUnreachable(error)}.`)
    }
  }

  function openStream({ caller, cluster, token }: Admitted, { end }: Way, isEndless: boolean): OpenStream {
    return { caller, clusterId: cluster.id, token, isEndless, openedAtMs: clock.monotonicMs(), end }
  }

  function endAtExpiry(stream: OpenStream): () => void {
    const { credential, expiresAt } = stream.caller
    if (expiresAt === undefined) return () => undefined
    const restMs = expiresAt.getTime() - clock.now().getTime()
    // A session slides along while it is used, and timers hold at most 2^31 ms: the regular check ends those.
    if ((credential.kind !== 'token' && credential.kind !== 'key') || restMs >= 2 ** 31)
      return () => undefined
    const { kind, id } = credential
    return clock.setTimeout(() => streams.end({ kind, id }), Math.max(0, restMs))
  }

  function statusOf(error: unknown, origin: Origin): StatusObject {
    if (error instanceof AppError) {
      if (error.code === 'not_found') return clusterNotFound('')
      // An API key from an address that it does not allow, or somebody whom the policies keep out.
      if (isPolicyRefusal(error)) return refused(error.message)
      const isForNow = ['unavailable', 'cluster_unreachable', 'conflict'].includes(error.code)
      if (isForNow) {
        log.warn({ err: error, requestId: origin.requestId }, 'A request to a cluster was not sent')
        return serviceUnavailable(error.message)
      }
    }
    log.error({ err: error, requestId: origin.requestId }, 'The cluster proxy failed')
    return internalError(origin.requestId)
  }

  return {
    handle: (request, response, origin = originOf(request)) => {
      response.on('error', (error) => log.debug({ err: error }, 'A proxied answer broke off'))
      response.setHeader('x-request-id', origin.requestId)
      return run(request, origin, {
        isUpgrade: false,
        setHeaders: (headers) => void response.setHeaders(new Map(Object.entries(headers))),
        answer: (status) => answerStatus(response, status),
        end: () => response.destroy(),
        exchange: (admitted, connection, on) =>
          forward({
            request,
            response,
            admitted,
            connection,
            agents,
            limits,
            served: () => deps.servedBy(admitted.cluster),
            ...on,
          }),
      })
    },
    upgrade: (request, socket, head, address) => {
      socket.on('error', (error) => log.debug({ err: error }, 'A proxied connection broke off'))
      if (socket instanceof Socket) socket.setTimeout(0).setNoDelay(true).setKeepAlive(true, 15_000)
      const origin = originOf(request, address)
      const headers: OutgoingHttpHeaders = { 'x-request-id': origin.requestId }
      return run(request, origin, {
        isUpgrade: true,
        setHeaders: (more) => void Object.assign(headers, more),
        answer: (status) => answerStatusOnSocket(socket, status, headers),
        end: () => socket.destroy(),
        exchange: (admitted, connection, on) =>
          upgrade({ request, socket, head, admitted, connection, agents, limits, ...on }),
      })
    },
  }
}

const impersonation = (objectName: string) => ({
  verb: 'impersonate',
  path: '/',
  resource: { group: '', name: 'users', subresource: '', namespace: '', objectName },
})

function originOf(request: IncomingMessage, address?: string): Origin {
  return {
    ip: address ?? request.socket.remoteAddress ?? '',
    userAgent: request.headers['user-agent'] ?? '',
    requestId: uuidv7(),
  }
}
