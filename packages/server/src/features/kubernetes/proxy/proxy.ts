import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { ClusterAgents } from '../connection/cluster-agents.ts'
import type { ConnectionCache } from './connection-cache.ts'
import type { Admitted, FindCluster, Refused } from './admission.ts'
import { admit } from './admission.ts'
import { answerStatus, answerStatusOnSocket } from './answer.ts'
import { auditClass } from './authorize.ts'
import type { Identify } from './caller.ts'
import type { ForwardLimits } from './forward.ts'
import { forward, forwardLimits } from './forward.ts'
import type { OpenStream, OpenStreams } from './open-streams.ts'
import type { Origin, ProxyAudit } from './proxy-audit.ts'
import type { StatusObject } from './status-object.ts'
import {
  clusterNotFound,
  internalError,
  serviceUnavailable,
  tooManyRequests,
  unauthorized,
} from './status-object.ts'
import { upgrade } from './upgrade.ts'
import { userRate } from './user-rate.ts'

export type ProxyDeps = {
  identify: Identify
  findCluster: FindCluster
  connections: ConnectionCache
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
  /** The same for a request that asks for an upgrade, as the event `upgrade` of node's server gives it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
}

/** Requests and streams of one user at the same time. */
const maxOpenPerUser = 200

type Way = {
  answer: (status: StatusObject) => void
  /** Cuts the exchange off. */
  end: () => void
  exchange: (admitted: Admitted) => Promise<void>
}

/** The way to the Kubernetes API of the organization's clusters: authenticates, authorizes, records, forwards. */
export function createProxy(deps: ProxyDeps): Proxy {
  const { agents, audit, streams, clock, log } = deps
  const limits = { ...forwardLimits, ...deps.limits }
  const mayAsk = userRate(clock)

  async function run(request: IncomingMessage, origin: Origin, way: Way): Promise<void> {
    try {
      const mark = streams.mark()
      const admitted = await admit(request, deps.identify, deps.findCluster)
      if ('status' in admitted) return await refuse(admitted, origin, way)
      const { userId } = admitted.caller
      if (!mayAsk(userId) || streams.countOf(userId) >= maxOpenPerUser) return way.answer(tooManyRequests(1))
      const stream = openStream(admitted, way)
      if (!streams.add(stream, mark)) return way.answer(unauthorized())
      const cancelExpiry = endAtExpiry(stream)
      try {
        await way.exchange(admitted)
      } finally {
        cancelExpiry()
        streams.remove(stream)
      }
    } catch (error) {
      way.answer(statusOf(error, origin))
    }
  }

  async function refuse(refused: Refused, origin: Origin, way: Way): Promise<void> {
    const { denied, status } = refused
    if (denied && auditClass(denied.info) !== 'counted') await audit.record(denied, status.code, origin)
    way.answer(status)
  }

  function openStream({ caller, cluster, token }: Admitted, { end }: Way): OpenStream {
    return { caller, clusterId: cluster.id, token, openedAtMs: clock.monotonicMs(), end }
  }

  function endAtExpiry(stream: OpenStream): () => void {
    const restMs = stream.caller.expiresAt.getTime() - clock.now().getTime()
    // A session slides along while it is used, and timers hold at most 2^31 ms: the regular check ends those.
    return restMs < 2 ** 31 && stream.caller.credential.kind === 'token'
      ? clock.setTimeout(() => streams.end(stream.caller.credential), Math.max(0, restMs))
      : () => undefined
  }

  function statusOf(error: unknown, origin: Origin): StatusObject {
    if (error instanceof AppError) {
      if (error.code === 'not_found') return clusterNotFound('')
      const isForNow = ['unavailable', 'cluster_unreachable', 'conflict'].includes(error.code)
      if (isForNow) return serviceUnavailable(error.message)
    }
    log.error({ err: error, requestId: origin.requestId }, 'The cluster proxy failed')
    return internalError(origin.requestId)
  }

  const recorder = (admitted: Admitted, origin: Origin) => (code: number) =>
    audit.record(admitted, code, origin)
  const connectionOf = ({ caller, cluster }: Admitted) =>
    deps.connections.connect(caller.organizationId, cluster.id)

  return {
    handle: (request, response, origin = originOf(request)) => {
      response.on('error', (error) => log.debug({ err: error }, 'A proxied answer broke off'))
      response.setHeader('x-request-id', origin.requestId)
      return run(request, origin, {
        answer: (status) => answerStatus(response, status),
        end: () => response.destroy(),
        exchange: async (admitted) => {
          const connection = await connectionOf(admitted)
          const record = recorder(admitted, origin)
          const lost = () => deps.connections.forget(admitted.cluster.id)
          await forward({ request, response, admitted, connection, agents, limits, record, lost })
        },
      })
    },
    upgrade: (request, socket, head) => {
      socket.on('error', (error) => log.debug({ err: error }, 'A proxied connection broke off'))
      if (socket instanceof Socket) socket.setTimeout(0).setNoDelay(true).setKeepAlive(true, 15_000)
      const origin = originOf(request)
      return run(request, origin, {
        answer: (status) => answerStatusOnSocket(socket, status),
        end: () => socket.destroy(),
        exchange: async (admitted) => {
          const connection = await connectionOf(admitted)
          const record = recorder(admitted, origin)
          const lost = () => deps.connections.forget(admitted.cluster.id)
          await upgrade({ request, socket, head, admitted, connection, agents, limits, record, lost })
        },
      })
    },
  }
}

function originOf(request: IncomingMessage): Origin {
  return {
    ip: request.socket.remoteAddress ?? '',
    userAgent: request.headers['user-agent'] ?? '',
    requestId: uuidv7(),
  }
}
