import type { LogRecord, LogRequest } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { PodEntry } from '../watch/entries.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'
import type { KubeObject } from '../watch/kube-types.ts'
import { objectFormat } from '../watch/list-format.ts'
import { reasonOf } from '../watch/reflector.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import { type LogTarget, missingRight } from './log-target.ts'

export type FollowPods = (
  listener: Parameters<WatchCache['followPods']>[1],
) => ReturnType<WatchCache['followPods']>

type Problem = Omit<Extract<LogRecord, { type: 'problem' }>, 'type' | 'source'>

export type TargetPodsOptions = {
  request: Pick<LogRequest, 'namespace'>
  target: LogTarget
  client: KubeClient
  connect: () => Promise<ClusterConnection>
  followPods: FollowPods
  clock: Clock
  signal: AbortSignal
  /** All pods of the target: at first, and whenever changes may have been missed. */
  onList(pods: KubeObject[]): void
  onPod(pod: KubeObject): void
  onRemoved(uid: string): void
  onProblem(problem: Problem): void
  /** Something that nobody can go on after. */
  onFailure(error: unknown): void
}

const retryMinMs = 1_000
const retryMaxMs = 30_000

/**
 * Keeps up with the pods of a target until told to stop. That they changed is heard from the watch that everybody shares;
 * what they are now is read from the cluster.
 */
export function followTargetPods(options: TargetPodsOptions): { stop(): void } {
  const { target, clock, signal, request } = options
  const waiting = new Set<string>()
  let isListWaiting = false
  let failures = 0
  let shownReason = ''
  let stopRetry: (() => void) | undefined
  // Changes are taken one after the other.
  let turn = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    turn = turn
      .then(() => (signal.aborted ? undefined : work()))
      .catch((error: unknown) => {
        if (!signal.aborted) options.onFailure(error)
      })
  }

  function readList(): void {
    if (isListWaiting) return
    isListWaiting = true
    stopRetry?.()
    stopRetry = undefined
    inTurn(async () => {
      isListWaiting = false
      const pods = await orRetry(() => listTargetPods(options))
      if (pods) options.onList(pods)
    })
  }

  function readPod({ name, uid }: PodEntry): void {
    if (waiting.has(uid)) return
    waiting.add(uid)
    inTurn(async () => {
      waiting.delete(uid)
      const pod = await orRetry(() => findPod(options, name))
      // In its place there may be another one of the same name by now, which is told of, too.
      if (pod === null) options.onRemoved(uid)
      else if (pod && (await target.accepts(pod))) options.onPod(pod)
    })
  }

  /** What fails is told, and everything is read again later. */
  async function orRetry<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      const found = await read()
      failures = 0
      return found
    } catch (error) {
      if (signal.aborted) return undefined
      const isRefused = error instanceof KubeError && error.status === 403
      tell(reasonOf(error), isRefused, 'list')
      failures += 1
      stopRetry ??= clock.setTimeout(
        readList,
        Math.min(retryMaxMs, retryMinMs * 2 ** (failures - 1)) * (0.75 + Math.random() / 2),
      )
      return undefined
    }
  }

  function tell(reason: string, isRefused: boolean, verb: 'list' | 'watch'): void {
    if (reason === shownReason) return
    shownReason = reason
    options.onProblem(
      isRefused
        ? { code: 'forbidden', message: missingRight(verb, 'pods', request.namespace) }
        : { code: 'unreachable', message: `New pods are not seen at the moment: ${reason}.` },
    )
  }

  const shared = options.followPods((pod, type) => {
    if (signal.aborted) return
    if (pod !== undefined) {
      if (!target.mayBe(pod)) return
      if (type === 'remove') inTurn(async () => options.onRemoved(pod.uid))
      else readPod(pod)
      return
    }
    const failure = shared.failure()
    if (failure) return tell(failure.reason, failure.isRefused, 'watch')
    shownReason = ''
    readList()
  })
  readList()
  return {
    stop() {
      shared.stop()
      stopRetry?.()
    },
  }
}

type Reading = Pick<TargetPodsOptions, 'target' | 'client' | 'connect' | 'request' | 'signal'>

/** The pods of a target as they are now. */
export async function listTargetPods({ target, client, connect, signal }: Reading): Promise<KubeObject[]> {
  const pods = objectFormat.page(await client.get(await connect(), target.podsPath, signal))?.objects ?? []
  const accepted = await Promise.all(pods.map((pod) => target.accepts(pod)))
  return pods.filter((_, index) => accepted[index])
}

/** null where there is none of this name any more. */
async function findPod(
  { client, connect, request, signal }: Reading,
  name: string,
): Promise<KubeObject | null> {
  const path = `/api/v1/namespaces/${encodeURIComponent(request.namespace)}/pods/${encodeURIComponent(name)}`
  try {
    return (await client.get(await connect(), path, signal)) as KubeObject
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return null
    throw error
  }
}
