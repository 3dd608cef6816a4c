import type {
  ClusterOverview,
  DeploymentRow,
  EventRow,
  NamespaceRow,
  NodeRow,
  ParsedInput,
  PodRow,
} from '@bey/contract'
import type { ClusterSummaries, ClusterSummary } from '../connection/ports.ts'
import type { KindName } from '../watch/kinds.ts'
import { byText } from '../watch/table.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { ClusterFigures } from './figures.ts'
import { clusterFigures, requestedByNode } from './figures.ts'
import { deploymentOrders, eventOrder, nodeOrders, podOrders } from './orders.ts'
import { nameMatcher, pageOf } from './page.ts'
import { deploymentRow, eventRow, nodeRow, podRow } from './rows.ts'
import type { UsageSource } from './usage.ts'

type Query<N extends `kubernetes.${'nodes' | 'namespaces' | 'pods' | 'deployments' | 'events'}`> =
  ParsedInput<N>['query']
type Page<K extends string, Row> = { [P in K]: Row[] } & {
  total: number
  page: number
  limit: number
  asOf: string
  isLive: boolean
}

/** A cluster, always by the organization that asks. */
type Of = { organizationId: number; clusterId: number }

/**
 * What the console shows of a cluster, from the watch caches. All throw AppError `not_found`, `conflict` while the
 * cluster is not running, `cluster_unreachable` when nothing could be read of it yet.
 */
export type ReadService = {
  overview(of: Of): Promise<ClusterOverview>
  nodes(of: Of, query: Query<'kubernetes.nodes'>): Promise<Page<'nodes', NodeRow>>
  namespaces(of: Of, query: Query<'kubernetes.namespaces'>): Promise<Page<'namespaces', NamespaceRow>>
  pods(of: Of, query: Query<'kubernetes.pods'>): Promise<Page<'pods', PodRow>>
  deployments(of: Of, query: Query<'kubernetes.deployments'>): Promise<Page<'deployments', DeploymentRow>>
  events(of: Of, query: Query<'kubernetes.events'>): Promise<Page<'events', EventRow>>
  /** Figures of a cluster that is known to run, within `timeoutMs`. `asOf` and `isLive` as everywhere. */
  figures: ReadFigures
}

export type ReadFigures = (
  cluster: { id: number; organizationId: number; title: string },
  timeoutMs: number,
) => Promise<ClusterFigures & { asOf: string; isLive: boolean }>

const overviewKinds: KindName[] = [
  'nodes',
  'pods',
  'namespaces',
  'deployments',
  'statefulsets',
  'daemonsets',
  'services',
]

export function createReadService(deps: {
  clusters: ClusterSummaries
  cache: WatchCache
  usage: UsageSource
}): ReadService {
  const { clusters, cache, usage } = deps

  const running = ({ organizationId, clusterId }: Of): Promise<ClusterSummary> =>
    clusters.getRunning(organizationId, clusterId)

  return {
    async overview(of) {
      const cluster = await running(of)
      const [cached, used] = await Promise.all([cache.read(cluster, overviewKinds), usage.recent(cluster)])
      return {
        kubernetesVersion: cluster.version,
        ...clusterFigures(cached, used),
        namespaces: cached.table('namespaces').size(),
        workloads:
          cached.table('deployments').size() +
          cached.table('statefulsets').size() +
          cached.table('daemonsets').size(),
        services: cached.table('services').size(),
        ...cached.freshness(overviewKinds),
      }
    },

    async nodes(of, query) {
      const cluster = await running(of)
      const [cached, used] = await Promise.all([
        cache.read(cluster, ['nodes', 'pods']),
        usage.recent(cluster),
      ])
      const requested = requestedByNode(cached.table('pods').values())
      const all = [...cached.table('nodes').values()].map((node) =>
        nodeRow(node, requested.get(node.name), used?.nodes.get(node.name)),
      )
      all.sort((a, b) => nodeOrders[query.sort](a, b) || byText(a.name, b.name))
      const { rows, total } = pageOf(all, query, nameMatcher(query.search))
      return { nodes: rows, total, ...place(query), ...cached.freshness(['nodes', 'pods']) }
    },

    async namespaces(of, query) {
      const cached = await cache.read(await running(of), ['namespaces', 'pods'])
      const pods = new Map<string, number>()
      for (const { namespace } of cached.table('pods').values())
        pods.set(namespace, (pods.get(namespace) ?? 0) + 1)
      const all = [...cached.table('namespaces').values()].map(({ uid, name, phase, createdAt }) => {
        return { uid, name, phase, podCount: pods.get(name) ?? 0, createdAt }
      })
      const compare = {
        name: () => 0,
        pods: (a: NamespaceRow, b: NamespaceRow) => a.podCount - b.podCount,
        createdAt: (a: NamespaceRow, b: NamespaceRow) => byText(a.createdAt, b.createdAt),
      }[query.sort]
      all.sort((a, b) => compare(a, b) || byText(a.name, b.name))
      const { rows, total } = pageOf(all, query, nameMatcher(query.search))
      return { namespaces: rows, total, ...place(query), ...cached.freshness(['namespaces', 'pods']) }
    },

    async pods(of, query) {
      const cached = await cache.read(await running(of), ['pods'])
      const { namespace, phase, node, sort } = query
      const isNamed = nameMatcher(query.search)
      const { rows, total } = pageOf(cached.table('pods').sorted(sort, podOrders[sort]), query, (pod) => {
        if (namespace !== undefined && pod.namespace !== namespace) return false
        if (phase !== undefined && pod.phase !== phase) return false
        if (node !== undefined && pod.node !== node) return false
        return isNamed(pod)
      })
      return { pods: rows.map(podRow), total, ...place(query), ...cached.freshness(['pods']) }
    },

    async deployments(of, query) {
      const cached = await cache.read(await running(of), ['deployments'])
      const { namespace, sort } = query
      const isNamed = nameMatcher(query.search)
      const sorted = cached.table('deployments').sorted(sort, deploymentOrders[sort])
      const { rows, total } = pageOf(
        sorted,
        query,
        (each) => (namespace === undefined || each.namespace === namespace) && isNamed(each),
      )
      return {
        deployments: rows.map(deploymentRow),
        total,
        ...place(query),
        ...cached.freshness(['deployments']),
      }
    },

    async events(of, query) {
      const cached = await cache.read(await running(of), ['events'])
      const { namespace, type } = query
      const text = query.search?.toLowerCase()
      // People look for what happened to an object; an event's own name means nothing to them.
      const isNamed = (...texts: string[]) => !text || texts.some((each) => each.toLowerCase().includes(text))
      const { rows, total } = pageOf(
        cached.table('events').sorted('newest', eventOrder),
        { ...query, order: query.order === 'asc' ? 'desc' : 'asc' },
        (event) =>
          (namespace === undefined || event.namespace === namespace) &&
          (type === undefined || event.type === type) &&
          isNamed(event.object, event.reason, event.message),
      )
      return { events: rows.map(eventRow), total, ...place(query), ...cached.freshness(['events']) }
    },

    async figures(cluster, timeoutMs) {
      const [cached, used] = await Promise.all([
        cache.read(cluster, ['nodes', 'pods'], timeoutMs),
        usage.recent(cluster),
      ])
      return { ...clusterFigures(cached, used), ...cached.freshness(['nodes', 'pods']) }
    },
  }
}

const place = ({ page, limit }: { page: number; limit: number }) => ({ page, limit })
