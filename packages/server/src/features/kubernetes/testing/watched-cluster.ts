import { afterEach } from 'vitest'
import type { Clock } from '../../../platform/clock.ts'
import { realClock } from '../../../platform/clock.ts'
import type { AppError } from '../../../platform/errors.ts'
import { createLog } from '../../../platform/log.ts'
import { createClusterAgents } from '../connection/cluster-agents.ts'
import type { LivePort } from '../connection/ports.ts'
import { createKubeClient } from '../watch/kube-client.ts'
import { createWatchCache, type WatchCache, type WatchCacheDeps } from '../watch/watch-cache.ts'
import { fakeCluster } from './fake-cluster.ts'

export const clusterRef = { id: 7, organizationId: 1, title: 'prod' }
export const podsPath = '/api/v1/pods'
export const pod = (name: string, phase = 'Running') => ({
  metadata: { name, namespace: 'a', uid: name },
  status: { phase },
})

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

type Options = { clock?: Clock; silenceMs?: number; lastKnown?: WatchCacheDeps['lastKnown'] }

/** A scripted cluster and a watch cache that reads it; both end with the test. */
export async function watchedCluster({ clock = realClock, silenceMs, lastKnown }: Options = {}) {
  const cluster = await fakeCluster()
  const agents = createClusterAgents()
  const events: Parameters<LivePort['local']>[0][] = []
  const reachability: [string, string | null][] = []
  const identities: { uid: string | null; isReplaced: boolean }[] = []
  const state: { refusal: AppError | undefined; refused: number } = { refusal: undefined, refused: 0 }
  let nextHook: ((subscription: never) => void) | undefined
  let hook: ((subscription: never, organizationId: number) => () => void) | undefined
  const cache = createWatchCache({
    client: createKubeClient(agents, silenceMs === undefined ? {} : { silenceMs }),
    connect: async () => {
      if (!state.refusal) return cluster.connection
      state.refused += 1
      throw state.refusal
    },
    setReachability: async (_organizationId, _clusterId, state, reason) =>
      void reachability.push([state, reason]),
    noteIdentity: async (_organizationId, _clusterId, identity) => void identities.push(identity),
    live: {
      local: (event) => events.push(event),
      objectChanged: () => undefined,
      onSubscription: (_kind, start, next) => {
        hook = start as typeof hook
        nextHook = next
      },
    },
    clock,
    log: createLog({ level: 'silent' }),
    random: () => 0,
    ...(lastKnown && { lastKnown }),
  })
  cleanups.push(async () => {
    cluster.resume()
    cache.stop()
    agents.close()
    await cluster.stop()
  })
  const subscription = { kind: 'cluster_resources', clusterId: 7 } as never
  const follow = () => hook?.(subscription, 1) ?? (() => undefined)
  /** One more follower beside those there are. */
  const followToo = () => nextHook?.(subscription)
  return { cluster, cache, events, reachability, identities, follow, followToo, state }
}

/** The pods that the cache has. */
export const namesIn = async (cache: WatchCache) =>
  [...(await cache.read(clusterRef, ['pods'])).table('pods').values()].map(({ name }) => name)
