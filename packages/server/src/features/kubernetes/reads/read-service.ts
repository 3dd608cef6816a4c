import type { CallOutput, ClusterOverview, NodeCell, NodeDetail, ParsedInput } from '@bey/contract'
import type { ClusterSummaries } from '../connection/ports.ts'
import type { Assessor, ClusterAssessment } from '../health/assessor.ts'
import type { UsageSource } from '../metrics/usage.ts'
import type { VolumeUsage } from '../volumes/volume-usage.ts'
import type { KindName } from '../watch/kinds.ts'
import type { Silence } from '../watch/liveness.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import { keepOverview, readOverview } from './cluster-overview.ts'
import type { ClusterOf, ClusterRef } from './cluster-reading.ts'
import { createClusterReading } from './cluster-reading.ts'
import type { ClusterFigures } from './figures.ts'
import { clusterFigures } from './figures.ts'
import { listEvents } from './list-events.ts'
import { listNamespaces } from './list-namespaces.ts'
import { listNodes } from './list-nodes.ts'
import { listPods } from './list-pods.ts'
import { listWorkloads } from './list-workloads.ts'
import { readNode } from './node-detail.ts'
import { nodeMap } from './node-map.ts'
import type { OverviewSnapshots } from './overview-snapshots.ts'

type ListName = 'nodes' | 'namespaces' | 'pods' | 'workloads' | 'events'

/**
 * What the console shows of a cluster, from the watch caches. While a large cluster is listed for the first time, lists
 * hold what has been read so far: `isPartial`. All throw AppError `not_found`, `conflict` while the cluster is not
 * running, `cluster_unreachable` when nothing could be read of it yet.
 */
export type ReadService = {
  [N in ListName]: (
    of: ClusterOf,
    query: ParsedInput<`kubernetes.${N}`>['query'],
  ) => Promise<CallOutput<`kubernetes.${N}`>>
} & {
  /** Throws AppError `not_found` as well for a node that is not there. */
  node(of: ClusterOf, name: string): Promise<NodeDetail>
  /** As it was last known, with its age, of a cluster that has not answered since this server started. */
  overview(of: ClusterOf): Promise<ClusterOverview>
  /** Lets the overview of a cluster that is being watched outlive this process. */
  keepOverview(cluster: ClusterRef): void
  /** Figures of a cluster that is known to run, within `timeoutMs`. `asOf` and `isLive` as everywhere. */
  figures(cluster: ClusterRef, timeoutMs: number): Promise<DashboardFigures>
}

type DashboardFigures = ClusterFigures & {
  assessment: ClusterAssessment
  nodeMap: NodeCell[]
  asOf: string
  isLive: boolean
  /** Why and since when it does not answer. */
  silence: Silence | undefined
}

const figureKinds: readonly KindName[] = ['nodes', 'pods']
const dashboardNodes = 24

export function createReadService(deps: {
  clusters: ClusterSummaries
  cache: WatchCache
  usage: UsageSource
  volumes: VolumeUsage
  assessor: Assessor
  snapshots: OverviewSnapshots
}): ReadService {
  const { usage } = deps
  const reading = createClusterReading(deps)
  const parts = { ...deps, reading }
  return {
    overview: (of) => readOverview(parts, of),
    keepOverview: (cluster) => keepOverview(parts, cluster),
    nodes: (of, query) => listNodes(parts, of, query),
    node: (of, name) => readNode(parts, of, name),
    namespaces: (of, query) => listNamespaces(reading, of, query),
    pods: (of, query) => listPods(reading, of, query),
    workloads: (of, query) => listWorkloads(reading, of, query),
    events: (of, query) => listEvents(parts, of, query),
    async figures(cluster, timeoutMs) {
      const [used] = await Promise.all([usage.recent(cluster), reading.read(cluster, figureKinds, timeoutMs)])
      // After everything was waited for: counts and health of one page are of one moment.
      const { cached, assessment } = await reading.read(cluster, figureKinds, timeoutMs)
      return {
        ...clusterFigures(cached, used),
        assessment,
        nodeMap: nodeMap(assessment, used, dashboardNodes),
        ...cached.freshness(figureKinds),
        silence: cached.silence(),
      }
    },
  }
}
