import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import { forbiddenText } from '../connection/forbidden-text.ts'
import type { ClusterSummary, Connect } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { Discovered } from './discovery.ts'
import { discover } from './discovery.ts'

/** Custom resources come and go; what was asked for and is missing is looked for sooner. */
const freshMs = 60_000
const retryMs = 2_000
const maxClusters = 256

export type Discovery = {
  /** What the cluster serves; at most a minute old. Throws AppError when it does not answer. */
  read(cluster: ClusterRef): Promise<Served>
  /** What it served when it last answered this process. */
  lastRead(clusterId: number): Served | undefined
  /** One resource by name. Throws AppError `not_found` where the cluster does not serve it. */
  find(cluster: ClusterSummary, resource: string): Promise<Discovered['resources'][number]>
  forget(clusterId: number): void
}

type Served = Discovered & { asOf: Date }
type ClusterRef = Pick<ClusterSummary, 'id' | 'organizationId' | 'title'>
type Kept = { atMs: number; found: Promise<Served> }

/** What clusters serve, asked once for all readers of this process. */
export function createDiscovery(deps: {
  client: KubeClient
  connect: Connect
  clock: Clock
  /** What a cluster served before this process knew it, for as long as it does not answer. */
  lastServed: (cluster: ClusterRef) => Promise<Served | undefined>
  /** Nobody waits for a cluster that is known not to answer. */
  whileAnswering: WatchCache['whileAnswering']
}): Discovery {
  const { client, connect, clock } = deps
  const known = new Map<number, Kept>()
  /** What each served when it last answered, for as long as it does not. */
  const last = new Map<number, Discovered & { asOf: Date }>()

  async function ask({ id, organizationId, title }: ClusterRef): Promise<Discovered & { asOf: Date }> {
    const connection = await connect(organizationId, id)
    const work = () => discover(client, connection)
    try {
      const served = await deps.whileAnswering({ id, organizationId, title }, work)
      const found = { ...served, asOf: clock.now() }
      last.set(id, found)
      return found
    } catch (error) {
      const refusal = unreadable(title, error)
      if (refusal.code !== 'cluster_unreachable') throw refusal
      const before = last.get(id) ?? (await deps.lastServed({ id, organizationId, title }))
      if (before) return before
      throw refusal
    }
  }

  function atMost(cluster: ClusterRef, ageMs: number): Kept['found'] {
    const nowMs = clock.monotonicMs()
    const kept = known.get(cluster.id)
    if (kept && nowMs - kept.atMs < ageMs) return kept.found
    const next: Kept = { atMs: nowMs, found: ask(cluster) }
    known.delete(cluster.id)
    known.set(cluster.id, next)
    const [oldest] = known.keys()
    if (known.size > maxClusters && oldest !== undefined) {
      known.delete(oldest)
      last.delete(oldest)
    }
    next.found.catch(() => {
      if (known.get(cluster.id) === next) known.delete(cluster.id)
    })
    return next.found
  }

  return {
    read: (cluster) => atMost(cluster, freshMs),
    lastRead: (clusterId) => last.get(clusterId),
    async find(cluster, resource) {
      for (const ageMs of [freshMs, retryMs]) {
        const { resources } = await atMost(cluster, ageMs)
        const found = resources.find((each) => each.resource === resource)
        if (found) return found
      }
      throw new AppError('not_found', `The cluster "${cluster.title}" serves no resource "${resource}".`)
    },
    forget(clusterId) {
      known.delete(clusterId)
      last.delete(clusterId)
    },
  }
}

/** Why something could not be read of a cluster. */
export function unreadable(title: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof KubeError && error.status === 403) {
    return new AppError('cluster_forbidden', forbiddenText(title), { cause: error })
  }
  const reason =
    error instanceof KubeError ? `it answered with status ${error.status}` : whyUnreachable(error)
  return new AppError('cluster_unreachable', `The cluster "${title}" does not answer: ${reason}.`, {
    cause: error,
  })
}
