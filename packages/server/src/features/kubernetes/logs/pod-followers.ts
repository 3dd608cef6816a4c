import type { ContainerPosition, LogRecord, LogRequest } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import type { KubeObject } from '../watch/kube-types.ts'
import { openContainerLog } from './container-log.ts'
import { type Follower, followContainer, type LogItem } from './container-follower.ts'
import { logContainers, type LogPod } from './log-pod.ts'
import { utcNanoseconds } from './log-line.ts'
import type { Merge } from './merge.ts'

/** Containers that one stream reads at the same time, each over a connection of its own. */
const maxSources = 100

export type PodFollowersOptions = {
  request: Pick<LogRequest, 'namespace' | 'containers' | 'kinds' | 'previous' | 'tail' | 'follow'> & {
    sinceTime: string | undefined
  }
  positions: readonly ContainerPosition[]
  client: KubeClient
  connect: () => Promise<ClusterConnection>
  merge: Merge<LogItem>
  send: (record: LogRecord) => void
  clock: Clock
  signal: AbortSignal
}

export type PodFollowers = {
  upsert(pod: KubeObject): void
  remove(uid: string): void
  /** Whatever is not among these pods is gone. */
  keepOnly(uids: ReadonlySet<string>): void
  /** Resolves when every container that is known now was read to its end. */
  done(): Promise<void>
}

/** Follows each wanted container of the pods that it is given, whether or not they run yet. */
export function createPodFollowers(options: PodFollowersOptions): PodFollowers {
  const { request, merge, send, clock, signal } = options
  const followers = new Map<string, Map<string, Follower>>()
  let count = 0
  let nextSource = 0
  let hasWarned = false

  const isWanted = ({ name, kind }: { name: string; kind: string }) =>
    (request.containers?.includes(name) ?? true) && (request.kinds?.some((each) => each === kind) ?? true)

  function begin(pod: LogPod, container: ReturnType<typeof logContainers>[number]): Follower {
    const { name = '', uid = '' } = pod.metadata ?? {}
    const source = (nextSource += 1)
    const position = options.positions.find(
      (each) => each.podUid === uid && each.container === container.name,
    )
    send({
      type: 'source',
      source,
      pod: name,
      podUid: uid,
      container: container.name,
      kind: container.kind,
      restart: position?.restart ?? container.status?.restartCount ?? 0,
    })
    const address = { namespace: request.namespace, pod: name, container: container.name }
    count += 1
    const follower = followContainer({
      source,
      address,
      status: container.status,
      position,
      previous: request.previous,
      sinceTime: request.sinceTime,
      tail: request.tail,
      follow: request.follow,
      channel: merge.open(),
      open: (query) => openContainerLog(options.client, options.connect, address, query, signal),
      onProblem: (problem) => send({ type: 'problem', source, ...problem }),
      clock,
      signal,
    })
    void follower.done.then(() => (count -= 1))
    return follower
  }

  function warn(): void {
    if (hasWarned) return
    hasWarned = true
    send({
      type: 'problem',
      code: 'too_many_pods',
      message: `More than ${maxSources} containers match. The log of the first ${maxSources} is shown; name fewer pods or one container.`,
    })
  }

  function removeUid(uid: string, at: string): void {
    for (const follower of followers.get(uid)?.values() ?? []) follower.gone(at)
    followers.delete(uid)
  }

  const now = () => utcNanoseconds(clock.now().toISOString()) ?? ''

  return {
    upsert(object) {
      // The watch answers pods.
      const pod = object as LogPod
      const uid = pod.metadata?.uid
      if (!uid) return
      const own = followers.get(uid) ?? new Map<string, Follower>()
      followers.set(uid, own)
      for (const container of logContainers(pod)) {
        const known = own.get(container.name)
        if (known) known.update(container.status)
        else if (isWanted(container)) {
          if (count < maxSources) own.set(container.name, begin(pod, container))
          else warn()
        }
      }
    },
    remove: (uid) => removeUid(uid, now()),
    keepOnly(uids) {
      for (const uid of followers.keys()) if (!uids.has(uid)) removeUid(uid, now())
    },
    done: () =>
      Promise.all([...followers.values()].flatMap((own) => [...own.values()].map(({ done }) => done))).then(
        () => undefined,
      ),
  }
}
