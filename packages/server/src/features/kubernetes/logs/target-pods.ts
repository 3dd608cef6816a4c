import type { LogRecord, LogRequest } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError, reasonOf } from '../watch/kube-client.ts'
import type { KubeObject } from '../watch/kube-types.ts'
import { objectFormat } from '../watch/list-format.ts'
import { startReflector } from '../watch/reflector.ts'
import type { PodListener } from '../watch/cache-listeners.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import { type LogTarget, missingRight } from './log-target.ts'

/** Hears of pods by the watch that all readers of a cluster share. */
export type FollowPods = (listener: PodListener) => ReturnType<WatchCache['followPods']>

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
 * Keeps up with the pods of a target until stopped. Changes come from the watch of pods that all readers of the
 * cluster share; where the cluster forbids that one, from a watch of these pods alone.
 */
export function followTargetPods(options: TargetPodsOptions): { stop(): void } {
  const { target, clock, signal } = options
  /** The version of each pod that was taken last: the shared watch may be behind a list. */
  const taken = new Map<string, bigint | undefined>()
  let isListWaiting = false
  let failures = 0
  let shownReason = ''
  let stopRetry: (() => void) | undefined
  let own: { stop(): void } | undefined
  // Changes are taken one after the other: whether a pod belongs may have to be asked.
  let turn = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    turn = turn
      .then(() => (signal.aborted ? undefined : work()))
      .catch((error: unknown) => {
        if (!signal.aborted) options.onFailure(error)
      })
  }

  function takeList(pods: readonly KubeObject[]): void {
    taken.clear()
    for (const pod of pods) taken.set(pod.metadata?.uid ?? '', versionOf(pod))
    options.onList([...pods])
  }

  function takeChange(type: 'upsert' | 'remove', pod: KubeObject): void {
    inTurn(async () => {
      const uid = pod.metadata?.uid ?? ''
      const version = versionOf(pod)
      const before = taken.get(uid)
      if (version !== undefined && before !== undefined && version <= before) return
      if (type === 'remove') {
        taken.delete(uid)
        options.onRemoved(uid)
      } else if (await target.accepts(pod)) {
        taken.set(uid, version)
        options.onPod(pod)
      }
    })
  }

  function readList(): void {
    if (isListWaiting) return
    isListWaiting = true
    stopRetry?.()
    stopRetry = undefined
    inTurn(async () => {
      isListWaiting = false
      try {
        takeList(await listTargetPods(options))
        failures = 0
      } catch (error) {
        if (!signal.aborted) retryList(error)
      }
    })
  }

  function retryList(error: unknown): void {
    tell(reasonOf(error), error instanceof KubeError && error.status === 403)
    failures += 1
    const delayMs = Math.min(retryMaxMs, retryMinMs * 2 ** (failures - 1)) * (0.75 + Math.random() / 2)
    stopRetry = clock.setTimeout(readList, delayMs)
  }

  function tell(reason: string, isRefused: boolean): void {
    if (reason === shownReason) return
    shownReason = reason
    options.onProblem(
      isRefused
        ? { code: 'forbidden', message: missingRight('watch', 'pods', options.request.namespace) }
        : { code: 'unreachable', message: `New pods are not seen at the moment: ${reason}.` },
    )
  }

  /** An account that may read one namespace only has no part in the watch of all. */
  function watchAlone(): void {
    shared.stop()
    own ??= startReflector({
      path: target.podsPath,
      format: objectFormat,
      client: options.client,
      connect: options.connect,
      clock,
      random: Math.random,
      keep: (pod) => pod,
      onList: (pods) => inTurn(async () => takeList(await accepted(target, pods))),
      onChange: takeChange,
      onLive: () => (shownReason = ''),
      onLost: (reason, { isRefused }) => tell(reason, isRefused),
    })
  }

  const shared = options.followPods((change) => {
    if (signal.aborted) return
    if (change) {
      if (target.mayBe(change.entry)) takeChange(change.type, change.object)
      return
    }
    const failure = shared.failure()
    if (failure?.isRefused) return watchAlone()
    if (failure) return tell(failure.reason, false)
    shownReason = ''
    readList()
  })
  if (shared.failure()?.isRefused) watchAlone()
  else readList()
  return {
    stop() {
      shared.stop()
      own?.stop()
      stopRetry?.()
    },
  }
}

/** The pods of a target as they are now. */
export async function listTargetPods({
  target,
  client,
  connect,
  signal,
}: Pick<TargetPodsOptions, 'target' | 'client' | 'connect' | 'signal'>): Promise<KubeObject[]> {
  const page = objectFormat.page(await client.get(await connect(), target.podsPath, signal))
  return accepted(target, page?.objects ?? [])
}

async function accepted(target: LogTarget, pods: readonly KubeObject[]): Promise<KubeObject[]> {
  const isOne = await Promise.all(pods.map((pod) => target.accepts(pod)))
  return pods.filter((_, index) => isOne[index])
}

/** Versions of one kind grow (Kubernetes API concepts, "Resource versions"); undefined for what is no number. */
function versionOf({ metadata }: KubeObject): bigint | undefined {
  const text = metadata?.resourceVersion ?? ''
  return /^\d+$/.test(text) ? BigInt(text) : undefined
}
