import type {
  CallOutput,
  ClusterOverview,
  EventRow,
  Health,
  HealthState,
  NamespaceRow,
  NodeCell,
  NodeRow,
  ParsedInput,
} from '@bey/contract'
import { AppError } from '../../../platform/errors.ts'
import type { ClusterSummaries, ClusterSummary } from '../connection/ports.ts'
import { countStates, podsInUse } from '../health/assess.ts'
import type { Assessor, ClusterAssessment } from '../health/assessor.ts'
import { healthKinds } from '../health/health-kinds.ts'
import { attentionList, attentionOf } from '../health/attention.ts'
import { nodeMap } from './node-map.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { PodEntry } from '../watch/entries.ts'
import type { KindName } from '../watch/kinds.ts'
import { byText } from '../watch/table.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { ClusterFigures } from './figures.ts'
import { clusterFigures, requestedByNode } from './figures.ts'
import { byHealth, eventOrder, namespaceOrders, nodeOrders, podOrders, workloadOrders } from './orders.ts'
import { labelMatcher } from '../watch/label-matcher.ts'
import { nameMatcher, pageOf } from './page.ts'
import { eventRow, nodeRow, notLookedAt, podRow, workloadRow } from './rows.ts'
import type { UsageSource } from '../metrics/usage.ts'
import type { VolumeUsage } from '../volumes/volume-usage.ts'
import type { OverviewSnapshots } from './overview-snapshots.ts'

type Query<N extends `kubernetes.${'nodes' | 'namespaces' | 'pods' | 'workloads' | 'events'}`> =
  ParsedInput<N>['query']
type Page<K extends string, Row> = { [P in K]: Row[] } & {
  total: number
  page: number
  limit: number
  asOf: string
  isLive: boolean
  isPartial: boolean
}

type ClusterRef = Pick<ClusterSummary, 'id' | 'organizationId' | 'title'>

/** A cluster, always by the organization that asks. */
type Of = { organizationId: number; clusterId: number }

/**
 * What the console shows of a cluster, from the watch caches. While a large cluster is listed for the first time, lists
 * hold what has been read so far: `isPartial`. All throw AppError `not_found`, `conflict` while the
 * cluster is not running, `cluster_unreachable` when nothing could be read of it yet.
 */
export type ReadService = {
  /** As it was last known, with its age, of a cluster that has not answered since this server started. */
  overview(of: Of): Promise<ClusterOverview>
  /** Lets the overview of a cluster that is being watched outlive this process. */
  keepOverview(cluster: { id: number; organizationId: number; title: string }): void
  nodes(of: Of, query: Query<'kubernetes.nodes'>): Promise<Page<'nodes', NodeRow>>
  namespaces(of: Of, query: Query<'kubernetes.namespaces'>): Promise<Page<'namespaces', NamespaceRow>>
  pods(of: Of, query: Query<'kubernetes.pods'>): Promise<CallOutput<'kubernetes.pods'>>
  workloads(of: Of, query: Query<'kubernetes.workloads'>): Promise<CallOutput<'kubernetes.workloads'>>
  events(of: Of, query: Query<'kubernetes.events'>): Promise<Page<'events', EventRow>>
  /** Figures of a cluster that is known to run, within `timeoutMs`. `asOf` and `isLive` as everywhere. */
  figures: ReadFigures
}

type ReadFigures = (
  cluster: { id: number; organizationId: number; title: string },
  timeoutMs: number,
) => Promise<
  ClusterFigures & {
    assessment: ClusterAssessment
    nodeMap: NodeCell[]
    asOf: string
    isLive: boolean
  }
>

const figureKinds: KindName[] = ['nodes', 'pods']
const overviewKinds: KindName[] = ['nodes', 'pods', 'namespaces', 'services']
/** Who filters, and may look for what has not been read yet, waits so long for the whole before a part is shown. */
const filteredPatienceMs = 1_000
/** Counts of a part say little: the whole is waited for a little longer. */
const overviewPatienceMs = 2_000
const overviewNodes = 200
const dashboardNodes = 24

export function createReadService(deps: {
  clusters: ClusterSummaries
  cache: WatchCache
  usage: UsageSource
  volumes: VolumeUsage
  assessor: Assessor
  snapshots: OverviewSnapshots
}): ReadService {
  const { clusters, cache, usage, volumes, assessor, snapshots } = deps

  const running = ({ organizationId, clusterId }: Of): Promise<ClusterSummary> =>
    clusters.getRunning(organizationId, clusterId)

  /** The kinds that a page cannot do without, and the health of everything, as far as it can be looked at. */
  async function read(cluster: ClusterRef, kinds: readonly KindName[], timeoutMs?: number) {
    const cached = await cache.read(cluster, kinds, timeoutMs)
    return { cached, assessment: await assessWhole(cluster, cached) }
  }

  async function assessWhole(cluster: ClusterRef, cached: ClusterCache): Promise<ClusterAssessment> {
    const assessment = await assessor.settled(cached)
    // For the next reader: a page does not wait for nodes that say how full their volumes are.
    void volumes.read(cluster, cached)
    return assessment
  }

  /** The same of what has been read so far, where the first list of a kind takes longer than `patienceMs`. */
  async function readPart(cluster: ClusterRef, kinds: readonly KindName[], patienceMs: number) {
    const cached = await cache.readPart(cluster, kinds, patienceMs)
    const assessment = await (cached.isPartial(kinds) ? assessor.soFar(cached) : assessWhole(cluster, cached))
    // More may have been read meanwhile, and the rest as well.
    const isPartial = cached.isPartial(kinds)
    return { cached, assessment, isPartial, state: { isPartial, ...cached.freshness(kinds) } }
  }

  async function overviewOf(
    cluster: ClusterRef & Pick<ClusterSummary, 'version'>,
    reading: Promise<{ cached: ClusterCache; assessment: ClusterAssessment }>,
  ): Promise<ClusterOverview> {
    const [{ cached, assessment }, used] = await Promise.all([reading, usage.recent(cluster)])
    const overview: ClusterOverview = {
      kubernetesVersion: cluster.version,
      health: assessment.cluster,
      healthCounts: {
        nodes: countStates(assessment.nodes.values()),
        pods: countStates(podsInUse(assessment)),
        workloads: countStates(assessment.workloads.map(({ verdict }) => verdict.health)),
      },
      attention: attentionList(attentionOf(cluster, assessment)),
      unreadable: assessment.unreadable && {
        ...assessment.unreadable,
        kinds: [...assessment.unreadable.kinds],
      },
      nodeMap: nodeMap(assessment, used, overviewNodes),
      ...clusterFigures(cached, used),
      namespaces: namespacesOf(cached).length,
      workloads: assessment.workloads.length,
      services: cached.table('services').size(),
      ...cached.freshness(overviewKinds),
    }
    const failures = cached.failures(overviewKinds).filter(({ isRefused }) => !isRefused)
    const [first] = failures
    if (!first || cached.isPartial(overviewKinds) || failures.length < overviewKinds.length) return overview
    return asItWas(overview, `The cluster "${cluster.title}" does not answer: ${first.reason}.`)
  }

  return {
    async overview(of) {
      const cluster = await running(of)
      try {
        return await overviewOf(cluster, readPart(cluster, overviewKinds, overviewPatienceMs))
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'cluster_unreachable') throw error
        const last = await snapshots.last(cluster)
        if (last === undefined) throw error
        return asItWas(last, error.message)
      }
    },

    keepOverview: (cluster) =>
      snapshots.take(cluster, async () => {
        const found = await clusters.find(cluster.organizationId, cluster.id)
        return overviewOf({ ...cluster, version: found?.version ?? '' }, read(cluster, overviewKinds))
      }),

    async nodes(of, query) {
      const cluster = await running(of)
      // Pods only add figures; without the nodes themselves there is no list.
      await cache.readPart(cluster, ['nodes'], 0)
      const [{ cached, assessment, state }, used] = await Promise.all([
        readPart(cluster, figureKinds, patienceOf(query)),
        usage.recent(cluster),
      ])
      const requested = requestedByNode(cached.table('pods').values())
      const all = [...assessment.nodes].map(([node, health]) =>
        nodeRow(node, health, requested.get(node.name), used?.nodes.get(node.name)),
      )
      all.sort((a, b) => nodeOrders[query.sort](a, b) || byText(a.name, b.name))
      const isWanted = matcher(query)
      const { rows, total } = pageOf(all, query, isWanted)
      return { nodes: rows, total: total + unreadCount(cached, 'nodes', query), ...place(query), ...state }
    },

    async namespaces(of, query) {
      const { cached, assessment, state } = await readPart(
        await running(of),
        ['namespaces', 'pods'],
        patienceOf(query),
      )
      const pods = new Map<string, number>()
      for (const { namespace } of cached.table('pods').values())
        pods.set(namespace, (pods.get(namespace) ?? 0) + 1)
      const all = namespacesOf(cached).map(({ uid, name, phase, createdAt }) => {
        const health = assessment.namespaces.get(name) ?? notLookedAt
        return { uid, name, phase, health, podCount: pods.get(name) ?? 0, createdAt }
      })
      all.sort((a, b) => namespaceOrders[query.sort](a, b) || byText(a.name, b.name))
      const { rows, total } = pageOf(all, query, matcher(query))
      return { namespaces: rows, total, ...place(query), ...state }
    },

    async pods(of, query) {
      const { cached, assessment, state } = await readPart(await running(of), ['pods'], patienceOf(query))
      const { namespace, phase, node, health, sort } = query
      const isNamed = nameMatcher(query.search)
      const isLabelled = labelMatcher(query.labels)
      const isWanted = (pod: PodEntry) => {
        if (namespace !== undefined && pod.namespace !== namespace) return false
        if (phase !== undefined && pod.phase !== phase) return false
        if (node !== undefined && pod.node !== node) return false
        if (health !== undefined && assessment.pods.get(pod)?.state !== health) return false
        return isNamed(pod) && isLabelled(pod)
      }
      // Time alone changes health, so that no order by it can be kept.
      const sorted =
        sort === 'health' ? podsByHealth(assessment) : cached.table('pods').sorted(sort, podOrders[sort])
      const { rows, total } = pageOf(sorted, query, isWanted)
      return {
        pods: rows.map((pod) => podRow(pod, assessment.pods.get(pod))),
        total: total + unreadCount(cached, 'pods', query),
        ...place(query),
        ...state,
      }
    },

    async workloads(of, query) {
      const { cached, assessment, ...list } = await readPart(await running(of), ['pods'], patienceOf(query))
      const isPartial = list.isPartial || cached.isBeingRead(healthKinds)
      const { namespace, kind, health, sort } = query
      const isNamed = nameMatcher(query.search)
      const isLabelled = labelMatcher(query.labels)
      const matching = assessment.workloads
        .filter(
          (each) =>
            // A pod whose owner has not been read yet looks like one that nothing keeps.
            !(isPartial && each.kind === 'Pod') &&
            (namespace === undefined || each.namespace === namespace) &&
            (kind === undefined || each.kind === kind) &&
            isNamed(each) &&
            isLabelled(each),
        )
        .map(workloadRow)
      matching.sort(
        (a, b) => workloadOrders[sort](a, b) || byText(a.namespace, b.namespace) || byText(a.name, b.name),
      )
      const { rows, total } = pageOf(
        matching,
        query,
        (each) => health === undefined || each.health.state === health,
      )
      const counts = countStates(matching.map((each) => each.health))
      return { workloads: rows, total, counts, ...place(query), ...list.state, isPartial }
    },

    async events(of, query) {
      const kinds: KindName[] = ['events']
      const cached = await cache.readPart(await running(of), kinds, patienceOf(query))
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
      return {
        events: rows.map(eventRow),
        total: total + unreadCount(cached, 'events', query),
        ...place(query),
        isPartial: cached.isPartial(kinds),
        ...cached.freshness(kinds),
      }
    },

    async figures(cluster, timeoutMs) {
      const [{ cached, assessment }, used] = await Promise.all([
        read(cluster, figureKinds, timeoutMs),
        usage.recent(cluster),
      ])
      return {
        ...clusterFigures(cached, used),
        assessment,
        nodeMap: nodeMap(assessment, used, dashboardNodes),
        ...cached.freshness(figureKinds),
      }
    },
  }
}

/** Where the cluster does not let Bey list namespaces, those that are known by what is in them. */
function namespacesOf(cached: ClusterCache) {
  const listed = [...cached.table('namespaces').values()]
  const isForbidden = cached.failures(['namespaces']).some(({ isRefused }) => isRefused)
  if (!isForbidden) return listed
  const names = new Set([...cached.table('pods').values()].map(({ namespace }) => namespace))
  return [...names].map((name) => ({ uid: name, name, phase: 'Unknown', createdAt: null }))
}

/** What was seen last, without a claim that it still is so. */
function asItWas(overview: ClusterOverview, reason: string): ClusterOverview {
  const health = {
    state: 'unknown',
    reason: 'Unreachable',
    detail: reason,
    since: null,
    object: null,
  } as const
  return { ...overview, health, unreadable: null, isLive: false }
}

function podsByHealth(assessment: ClusterAssessment): PodEntry[] {
  return [...assessment.pods]
    .map(([pod, health]) => ({ pod, health }))
    .sort(
      (a, b) => byHealth(a, b) || byText(a.pod.namespace, b.pod.namespace) || byText(a.pod.name, b.pod.name),
    )
    .map(({ pod }) => pod)
}

type Filters = Partial<
  Record<
    'search' | 'namespace' | 'labels' | 'phase' | 'node' | 'health' | 'type' | 'kind',
    string | undefined
  >
>

function isFiltered({ search, namespace, labels, phase, node, health, type, kind }: Filters): boolean {
  return [search, namespace, labels, phase, node, health, type, kind].some((each) => each !== undefined)
}

const patienceOf = (query: Filters) => (isFiltered(query) ? filteredPatienceMs : 0)

/** Objects of an unfiltered list that are still to be read; how many of them a filter would leave is not known. */
function unreadCount(cached: ClusterCache, kind: KindName, query: Filters): number {
  return isFiltered(query) ? 0 : cached.remaining(kind)
}

/** Rows whose name and health are asked for. */
function matcher({ search, health }: { search?: string | undefined; health?: HealthState | undefined }) {
  const isNamed = nameMatcher(search)
  return (row: { name: string; health: Health }) =>
    (health === undefined || row.health.state === health) && isNamed(row)
}

const place = ({ page, limit }: { page: number; limit: number }) => ({ page, limit })
