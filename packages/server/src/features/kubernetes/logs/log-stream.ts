import { Readable } from 'node:stream'
import type { LogRecord, LogRequest } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'
import type { KubeObject } from '../watch/kube-types.ts'
import { objectFormat } from '../watch/list-format.ts'
import { startReflector } from '../watch/reflector.ts'
import type { LogItem } from './container-follower.ts'
import { utcNanoseconds } from './log-line.ts'
import { type LogTarget, missingRight } from './log-target.ts'
import { createMerge } from './merge.ts'
import { createPodFollowers } from './pod-followers.ts'

export type LogStreamOptions = {
  request: LogRequest
  target: LogTarget
  client: KubeClient
  connect: () => Promise<ClusterConnection>
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
  const merge = createMerge<LogItem>({ clock, write: (items) => push(encode.items(items)) })
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
  async function takeList(objects: KubeObject[]): Promise<void> {
    const accepted = await Promise.all(objects.map((pod) => target.accepts(pod)))
    if (signal.aborted) return
    const pods = objects.filter((_, index) => accepted[index])
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
    let shownReason = ''
    // Changes are taken one after the other: whether a pod belongs may have to be asked.
    let turn = Promise.resolve()
    const inTurn = (work: () => Promise<void> | void) => {
      turn = turn.then(work).catch((error: unknown) => void output.destroy(asError(error)))
    }
    const reflector = startReflector({
      path: target.podsPath,
      format: objectFormat,
      client,
      connect: options.connect,
      clock,
      random: Math.random,
      onList: (objects) => inTurn(() => takeList(objects)),
      onChange: (type, object) =>
        inTurn(async () => {
          if (type === 'remove') followers.remove(object)
          else if (await target.accepts(object)) followers.upsert(object)
        }),
      onLive: () => (shownReason = ''),
      onLost: (reason, { isGone, isRefused }) => {
        if (reason === shownReason) return
        shownReason = reason
        const code = isRefused ? 'forbidden' : isGone ? 'gone' : 'unreachable'
        const message = isRefused
          ? missingRight('watch', 'pods', request.namespace)
          : `New pods are not seen at the moment: ${reason}.`
        send({ type: 'problem', code, message })
      },
    })
    stops.push(() => reflector.stop())
    stops.push(clock.setInterval(() => send({ type: 'ping', at: instant() }), pingPeriodMs))
  }

  async function once(): Promise<void> {
    const pods = await listPods(target.podsPath, request.namespace, client, await options.connect(), signal)
    await takeList(pods)
    await followers.done()
    // What was read last may still wait for its turn.
    while (!signal.aborted && !merge.isEmpty()) await new Promise((resolve) => setTimeout(resolve, 20))
    send({ type: 'end' })
    output.push(null)
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

async function listPods(
  path: string,
  namespace: string,
  client: KubeClient,
  connection: ClusterConnection,
  signal: AbortSignal,
): Promise<KubeObject[]> {
  try {
    return objectFormat.page(await client.get(connection, path, signal))?.objects ?? []
  } catch (error) {
    if (error instanceof KubeError && error.status === 403)
      throw new Error(missingRight('list', 'pods', namespace), { cause: error })
    throw error
  }
}

function sinceOf({ sinceTime, sinceSeconds }: LogRequest, clock: Clock): string | undefined {
  if (sinceTime !== undefined) return utcNanoseconds(new Date(sinceTime).toISOString())
  if (sinceSeconds === undefined) return undefined
  return utcNanoseconds(new Date(clock.now().getTime() - sinceSeconds * 1000).toISOString())
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
