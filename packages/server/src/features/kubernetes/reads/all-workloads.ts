import type { CallOutput, ClusterWorkloadRow, Health, ParsedInput } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ClusterSummaries } from '../connection/ports.ts'
import { countStates } from '../health/assess.ts'
import type { Assessor } from '../health/assessor.ts'
import { byText } from '../watch/table.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import { clusterTimeoutMs, freshnessOf, patienceMs, readEachCluster } from './each-cluster.ts'
import { labelMatcher } from '../watch/label-matcher.ts'
import { workloadOrders } from './orders.ts'
import { nameMatcher, pageOf } from './page.ts'
import { workloadRow } from './rows.ts'

/** Workloads of all running clusters of an organization, in one order. */
export function createAllWorkloads(deps: {
  clusters: ClusterSummaries
  cache: WatchCache
  assessor: Assessor
  clock: Clock
}) {
  const { clusters: summaries, cache, assessor, clock } = deps
  return async (
    organizationId: number,
    query: ParsedInput<'kubernetes.allWorkloads'>['query'],
  ): Promise<CallOutput<'kubernetes.allWorkloads'>> => {
    const { cluster: clusterId, namespace, kind, health, sort } = query
    const { read, clusters, unreadable } = await readEachCluster(
      summaries,
      { organizationId, clusterId },
      async (cluster) => {
        const cached = await cache.readPart(cluster, ['pods'], patienceMs, clusterTimeoutMs)
        const isPartial = cached.isPartial(['pods'])
        const { workloads } = await (isPartial ? assessor.soFar(cached) : assessor.settled(cached))
        return { workloads, isPartial, ...cached.freshness(['pods']) }
      },
    )
    const isNamed = nameMatcher(query.search)
    const isLabelled = labelMatcher(query.labels)
    const matching: ClusterWorkloadRow[] = []
    for (const { cluster, found } of read) {
      for (const workload of found.workloads) {
        if (namespace !== undefined && workload.namespace !== namespace) continue
        if (kind !== undefined && workload.kind !== kind) continue
        if (!isNamed(workload) || !isLabelled(workload)) continue
        const row = { ...workloadRow(workload), clusterId: cluster.id, cluster: cluster.title }
        const silence = found.noAnswerSince
        matching.push(silence === null ? row : { ...row, health: unreachable(silence) })
      }
    }
    const order =
      sort === 'cluster'
        ? (a: ClusterWorkloadRow, b: ClusterWorkloadRow) => byText(a.cluster, b.cluster)
        : workloadOrders[sort]
    matching.sort(
      (a, b) =>
        order(a, b) ||
        byText(a.cluster, b.cluster) ||
        byText(a.namespace, b.namespace) ||
        byText(a.name, b.name),
    )
    const { rows, total } = pageOf(
      matching,
      query,
      (each) => health === undefined || each.health.state === health,
    )
    return {
      workloads: rows,
      total,
      page: query.page,
      limit: query.limit,
      counts: countStates(matching.map((each) => each.health)),
      namespaces: namespacesOf(read.flatMap(({ found }) => found.workloads)),
      clusters,
      unreadable,
      isPartial: read.some(({ found }) => found.isPartial),
      ...freshnessOf(clusters, clock.now()),
    }
  }
}

/** What runs in a cluster that does not answer cannot be looked at, whatever was seen of it before. */
export function unreachable(since: string): Health {
  return {
    state: 'unknown',
    reason: 'Unreachable',
    detail: 'its cluster does not answer',
    since,
    object: null,
  }
}

const maxNamespaces = 200

/** Names to choose from. */
export function namespacesOf(all: readonly { namespace: string }[]): string[] {
  const names = new Set(all.map(({ namespace }) => namespace))
  names.delete('')
  return [...names].toSorted().slice(0, maxNamespaces)
}
