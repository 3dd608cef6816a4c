import type { Readable } from 'node:stream'
import { type LogDownloadRequest, type LogRequest, maxLogStreamsPerUser } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { TenantCaller } from '../../../platform/http/handlers.ts'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import type { ClusterSummaries, Connect } from '../connection/ports.ts'
import type { OpenStreams } from '../proxy/open-streams.ts'
import { type KubeClient, KubeError } from '../watch/kube-client.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import { ndjson, plainText } from './log-encoders.ts'
import { type LogEncoder, openLogStream } from './log-stream.ts'
import { findTarget, type LogTarget } from './log-target.ts'
import type { FollowPods } from './target-pods.ts'

export type LogServiceDeps = {
  clusters: Pick<ClusterSummaries, 'getRunning'>
  connect: Connect
  client: KubeClient
  cache: Pick<WatchCache, 'followPods'>
  streams: Pick<OpenStreams, 'mark' | 'add' | 'remove'>
  clock: Clock
}

/** All throw AppError where the stream cannot begin; later trouble is shown within the stream. */
export type LogService = {
  stream(caller: TenantCaller, clusterId: number, request: LogRequest): Promise<Readable>
  download(caller: TenantCaller, clusterId: number, request: LogDownloadRequest): Promise<Readable>
}

export function createLogService({
  clusters,
  connect,
  client,
  cache,
  streams,
  clock,
}: LogServiceDeps): LogService {
  const open = new Map<string, number>()

  async function begin(
    caller: TenantCaller,
    clusterId: number,
    request: LogRequest,
    encode: LogEncoder,
  ): Promise<Readable> {
    const key = caller.key ? `key ${caller.key.id}` : `user ${caller.user.id}`
    const mark = streams.mark()
    if ((open.get(key) ?? 0) >= maxLogStreamsPerUser) throw tooMany()
    // Counted before anything is awaited, so that many at once do not all pass.
    open.set(key, (open.get(key) ?? 0) + 1)
    let isCounted = true
    const release = () => {
      if (!isCounted) return
      isCounted = false
      const rest = (open.get(key) ?? 1) - 1
      if (rest > 0) open.set(key, rest)
      else open.delete(key)
    }
    try {
      const cluster = await clusters.getRunning(caller.organizationId, clusterId)
      const connectNow = () => connect(caller.organizationId, cluster.id)
      const target = await targetOf(request, cluster.title, connectNow)
      const followPods: FollowPods = (listener) =>
        cache.followPods({ id: cluster.id, organizationId: caller.organizationId }, listener)
      const stream = openLogStream({
        request,
        target,
        client,
        connect: connectNow,
        followPods,
        clock,
        encode,
      })
      const entry = {
        caller: proxyCallerOf(caller, key),
        clusterId: cluster.id,
        token: caller.tokenHash,
        isEndless: request.follow,
        openedAtMs: clock.monotonicMs(),
        end: () => void stream.destroy(),
      }
      stream.once('close', () => {
        streams.remove(entry)
        release()
      })
      if (!streams.add(entry, mark)) {
        stream.destroy()
        throw new AppError('unauthenticated', 'Your access ended a moment ago. Log in again.')
      }
      return stream
    } catch (error) {
      release()
      throw error
    }
  }

  async function targetOf(
    request: LogRequest,
    title: string,
    connectNow: () => ReturnType<Connect>,
  ): Promise<LogTarget> {
    try {
      const signal = AbortSignal.timeout(15_000)
      return await findTarget(request, { client, connection: await connectNow(), signal })
    } catch (error) {
      if (error instanceof AppError) throw error
      const why =
        error instanceof KubeError ? `it answered with status ${error.status}` : whyUnreachable(error)
      throw new AppError('cluster_unreachable', `The cluster "${title}" does not answer: ${why}.`, {
        cause: error,
      })
    }
  }

  return {
    stream: (caller, clusterId, request) => begin(caller, clusterId, request, ndjson),
    download: (caller, clusterId, request) =>
      begin(caller, clusterId, { ...request, follow: false }, plainText()),
  }
}

function tooMany(): AppError {
  return new AppError(
    'limit_reached',
    `You have ${maxLogStreamsPerUser} log streams open already. Close one of them, in this tab or another, and try again.`,
  )
}

/** The caller as open streams know callers, so that a log ends with the session or membership it was opened by. */
function proxyCallerOf({ user, organizationId, role, sessionId, key: apiKey }: TenantCaller, key: string) {
  return {
    key,
    userId: user.id,
    name: user.name,
    email: user.email,
    organizationId,
    role,
    credential: { kind: apiKey ? 'key' : 'session', id: sessionId } as const,
    onlyClusterId: undefined,
    expiresAt: apiKey?.expiresAt ?? undefined,
    ...(apiKey && { apiKey }),
  }
}
