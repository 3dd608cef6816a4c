import { Readable } from 'node:stream'
import type { LogRecord, LogRequest } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import { type KubeClient, KubeError } from '../watch/kube-client.ts'
import type { KubeObject } from '../watch/kube-types.ts'
import type { LogItem } from './container-follower.ts'
import { utcNanoseconds } from './log-line.ts'
import { type LogTarget, missingRight } from './log-target.ts'
import { createMerge, livePatience, wholePatience } from './merge.ts'
import { createPodFollowers } from './pod-followers.ts'
import { type FollowPods, followTargetPods, listTargetPods } from './target-pods.ts'

export type LogStreamOptions = {
  request: LogRequest
  target: LogTarget
  client: KubeClient
  connect: () => Promise<ClusterConnection>
  /** Hears of changes of pods by the watch that all readers of the cluster share. */
  followPods: FollowPods
  clock: Clock
  /** How records are written. */
  encode: LogEncoder
}

/** Text for records and for merged lines; an empty text writes nothing. */
export type LogEncoder = {
  record(record: LogRecord): string
  items(items: readonly LogItem[]): string
}

const pingPeriodMs = 15_000
/** What is ready and the client has not taken; beyond it the cluster is no longer read. */
const maxWaitingBytes = 256 * 1024

/** The merged logs of a target as a stream of text. Destroying it ends everything that it holds. */
export function openLogStream(options: LogStreamOptions): Readable {
  const { request, target, client, clock, encode } = options
  const ended = new AbortController()
  const { signal } = ended
  const stops: (() => void)[] = []

  const output = new Readable({
    highWaterMark: maxWaitingBytes,
    read: () => merge.resume(),
    destroy(error, callback) {
      ended.abort()
      merge.stop()
      for (const stop of stops) stop()
      callback(error)
    },
  })
  const push = (text: string): boolean => {
    if (signal.aborted || text === '') return true
    return output.push(text)
  }
  const send = (record: LogRecord) => void push(encode.record(record))
  const merge = createMerge<LogItem>({
    clock,
    patience: request.follow ? livePatience : wholePatience,
    write: (items) => push(encode.items(items)),
  })
  const followers = createPodFollowers({
    request: { ...request, sinceTime: sinceOf(request, clock) },
    positions: request.positions ?? [],
    client,
    connect: options.connect,
    merge,
    send,
    clock,
    signal,
  })
  const instant = () => utcNanoseconds(clock.now().toISOString()) ?? ''

  let isFirst = true
  function takeList(pods: KubeObject[]): void {
    if (signal.aborted) return
    if (isFirst) {
      isFirst = false
      send({ type: 'begin', pods: pods.length, at: instant() })
      const gone = countGone(request, pods)
      if (gone > 0) {
        const message = `${gone === 1 ? 'A pod was' : `${gone} pods were`} deleted while nobody was reading. What was written in between is no longer kept by the cluster.`
        send({ type: 'problem', code: 'gone', message })
      }
    }
    followers.keepOnly(new Set(pods.map(({ metadata }) => metadata?.uid ?? '')))
    for (const pod of pods) followers.upsert(pod)
  }

  function follow(): void {
    const pods = followTargetPods({
      request,
      target,
      client,
      connect: options.connect,
      followPods: options.followPods,
      clock,
      signal,
      onList: takeList,
      onPod: (pod) => followers.upsert(pod),
      onRemoved: (uid) => followers.remove(uid),
      onProblem: (problem) => send({ type: 'problem', ...problem }),
      onFailure: (error) => void output.destroy(asError(error)),
    })
    stops.push(() => pods.stop())
    stops.push(clock.setInterval(() => send({ type: 'ping', at: instant() }), pingPeriodMs))
  }

  async function once(): Promise<void> {
    takeList(await listOnce())
    await followers.done()
    // What was read last may still wait for its turn.
    while (!signal.aborted && !merge.isEmpty()) await new Promise((resolve) => setTimeout(resolve, 20))
    send({ type: 'end' })
    output.push(null)
  }

  async function listOnce(): Promise<KubeObject[]> {
    try {
      return await listTargetPods({ target, client, connect: options.connect, signal })
    } catch (error) {
      if (error instanceof KubeError && error.status === 403)
        throw new Error(missingRight('list', 'pods', request.namespace), { cause: error })
      throw error
    }
  }

  if (request.follow) follow()
  else once().catch((error: unknown) => output.destroy(asError(error)))
  return output
}

/** How many pods a client was reading that are gone: what they wrote in between nobody can read any more. */
function countGone(request: LogRequest, pods: KubeObject[]): number {
  const living = new Set(pods.map(({ metadata }) => metadata?.uid))
  return new Set((request.positions ?? []).map(({ podUid }) => podUid).filter((uid) => !living.has(uid))).size
}

function sinceOf({ sinceTime, sinceSeconds }: LogRequest, clock: Clock): string | undefined {
  if (sinceTime !== undefined) return utcNanoseconds(new Date(sinceTime).toISOString())
  if (sinceSeconds === undefined) return undefined
  return utcNanoseconds(new Date(clock.now().getTime() - sinceSeconds * 1000).toISOString())
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
