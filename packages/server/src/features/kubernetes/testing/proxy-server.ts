import { once } from 'node:events'
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Role } from '@bey/contract'
import { afterAll, beforeEach } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { createLog } from '../../../platform/log.ts'
import { createClusterAgents } from '../connection/cluster-agents.ts'
import { createConnectionCache } from '../proxy/connection-cache.ts'
import type { ProxyCaller } from '../proxy/caller.ts'
import type { Identity } from '../connection/identity.ts'
import type { ServedResource } from '../proxy/narrow-rules.ts'
import type { NamedInBody } from '../proxy/object-in-body.ts'
import { createOpenStreams } from '../proxy/open-streams.ts'
import { createProxy } from '../proxy/proxy.ts'
import { fakeCluster } from './fake-cluster.ts'

export function proxyCaller(role: Role, extra: Partial<ProxyCaller> = {}): ProxyCaller {
  return {
    key: `user ${extra.userId ?? 1}`,
    userId: 1,
    name: 'Ada',
    email: 'ada@example.com',
    organizationId: 1,
    role,
    credential: { kind: 'token', id: role },
    onlyClusterId: 7,
    expiresAt: new Date(Date.now() + 3_600_000),
    ...extra,
  }
}

export const proxyPath = '/api/kubernetes/clusters/7/proxy'

export const as = (token: string) => ({ authorization: `Bearer ${token}` })

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  json: () => Record<string, unknown>
}

/** An intent, and the status it was completed with. */
type Recorded = {
  verb: string
  code: number | undefined
  resource: string | undefined
  /** What the body says about the object of a creation, and the name that the cluster made up. */
  named?: NamedInBody
  madeName?: string
}

/** A proxy in front of a fake cluster, callers by token, and what was recorded. Call it at the top of a test file. */
export async function proxyServer() {
  const cluster = await fakeCluster()
  const streams = createOpenStreams()
  const recorded: Recorded[] = []
  const refused: string[] = []
  const addresses: string[] = []
  const impersonated: Identity[] = []
  const state: {
    isAuditBroken: boolean
    /** The moment at which the clock of durations stands still; undefined: it runs. */
    stoppedAtMs: number | undefined
    status: 'RUNNING' | 'CREATING'
    served: readonly ServedResource[] | null
  } = {
    isAuditBroken: false,
    stoppedAtMs: undefined,
    status: 'RUNNING',
    served: [],
  }
  const callers: Record<string, ProxyCaller | 'outsider'> = {
    owner: proxyCaller('OWNER'),
    member: proxyCaller('MEMBER'),
    viewer: proxyCaller('VIEWER'),
    session: proxyCaller('ADMIN', { onlyClusterId: undefined, credential: { kind: 'session', id: 's' } }),
    outsider: 'outsider',
  }
  const proxy = createProxy({
    identify: async (token) => callers[token.toString()],
    takeKeyTurn: () => ({ isAllowed: true, remaining: 1, retryAfterMs: 0, perMinute: 1 }),
    takeTicket: async () => undefined,
    findCluster: async (organizationId, id) =>
      organizationId === 1 && id === 7
        ? { id, organizationId, title: 'prod', status: state.status, pendingOperations: 0, version: 'v1.33' }
        : undefined,
    connections: createConnectionCache(async () => cluster.connection, realClock),
    servedBy: async () => state.served ?? Promise.reject(new Error('The cluster does not answer')),
    agents: createClusterAgents(),
    streams,
    audit: {
      begin: async ({ info, identity, isImpersonated, namedInBody }, { ip }) => {
        if (state.isAuditBroken) throw new AppError('unavailable', 'The database is down.')
        const intent: Recorded = { verb: info.verb, code: undefined, resource: info.resource?.name }
        if (namedInBody && Object.keys(namedInBody).length > 0) intent.named = namedInBody
        recorded.push(intent)
        addresses.push(ip)
        if (isImpersonated) impersonated.push(identity)
        return {
          async complete(code, madeName) {
            intent.code = code
            if (madeName !== undefined) intent.madeName = madeName
          },
        }
      },
      refused: ({ info }) => refused.push(info.verb),
      flush: async () => undefined,
      stop: async () => undefined,
    },
    clock: { ...realClock, monotonicMs: () => state.stoppedAtMs ?? realClock.monotonicMs() },
    log: createLog({ level: 'silent' }),
    limits: { connectTimeoutMs: 1000, answerTimeoutMs: 1500 },
  })

  const server = createServer((request, response) => void proxy.handle(request, response))
  server.on('upgrade', (request, socket, head) => {
    const address = request.headers['x-test-address']
    void proxy.upgrade(request, socket, head, typeof address === 'string' ? address : undefined)
  })
  // So that a stall of the machine closes no connection that is about to be used again.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = (server.address() as AddressInfo).port

  beforeEach(() => {
    cluster.seen.length = 0
    for (const list of [recorded, refused, addresses, impersonated]) list.length = 0
    cluster.answer = () => false
    state.isAuditBroken = false
    state.stoppedAtMs = undefined
    state.status = 'RUNNING'
  })

  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await cluster.stop()
  })

  function begin(method: string, path: string, headers: Record<string, string>, body?: string | Buffer) {
    const sent = httpRequest({ port, method, path, headers: { ...as('owner'), ...headers } })
    sent.end(body)
    return sent
  }

  async function call(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string | Buffer,
  ): Promise<Answer> {
    const [answer] = (await once(begin(method, path, headers, body), 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of answer) text += String(chunk)
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      text,
      json: () => JSON.parse(text) as Record<string, unknown>,
    }
  }

  return { cluster, streams, recorded, refused, addresses, impersonated, state, callers, port, begin, call }
}
