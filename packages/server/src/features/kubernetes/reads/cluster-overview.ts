import type { ClusterOverview } from '@bey/contract'
import { AppError } from '../../../platform/errors.ts'
import type { ClusterSummaries, ClusterSummary } from '../connection/ports.ts'
import { countStates, podsInUse } from '../health/assess.ts'
import type { ClusterAssessment } from '../health/assessor.ts'
import { attentionList, attentionOf } from '../health/attention.ts'
import type { UsageSource } from '../metrics/usage.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { KindName } from '../watch/kinds.ts'
import type { ClusterOf, ClusterReading, ClusterRef } from './cluster-reading.ts'
import { clusterFigures } from './figures.ts'
import { knownNamespaces } from './list-namespaces.ts'
import { nodeMap } from './node-map.ts'
import type { OverviewSnapshots } from './overview-snapshots.ts'

const overviewKinds: readonly KindName[] = ['nodes', 'pods', 'namespaces', 'services']
/** Counts of a part say little: the whole is waited for a little longer than that of a list. */
const patienceMs = 2_000
const overviewNodes = 200

type Deps = {
  reading: ClusterReading
  clusters: Pick<ClusterSummaries, 'find'>
  usage: UsageSource
  snapshots: OverviewSnapshots
}

/** As it was last known, with its age, of a cluster that has not answered since this server started. */
export async function readOverview(
  { reading, usage, snapshots }: Deps,
  of: ClusterOf,
): Promise<ClusterOverview> {
  const cluster = await reading.running(of)
  try {
    return await buildOverview(usage, cluster, () => reading.readPart(cluster, overviewKinds, patienceMs))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'cluster_unreachable') throw error
    const last = await snapshots.last(cluster)
    if (last === undefined) throw error
    // What was kept before this process says nothing of when it answered last.
    return { ...asItWas(last, error.message), noAnswerSince: last.asOf }
  }
}

/** Lets the overview of a cluster that is being watched outlive this process. */
export function keepOverview({ reading, clusters, usage, snapshots }: Deps, cluster: ClusterRef): void {
  snapshots.take(cluster, async () => {
    const found = await clusters.find(cluster.organizationId, cluster.id)
    return buildOverview(usage, { ...cluster, version: found?.version ?? '' }, () =>
      reading.read(cluster, overviewKinds),
    )
  })
}

async function buildOverview(
  usage: UsageSource,
  cluster: ClusterRef & Pick<ClusterSummary, 'version'>,
  read: () => Promise<{ cached: ClusterCache; assessment: ClusterAssessment }>,
): Promise<ClusterOverview> {
  const [first, used] = await Promise.all([read(), usage.recent(cluster)])
  // After everything was waited for: counts and health of one page are of one moment. While a first list is long, they
  // grow anyway.
  const { cached, assessment } = first.cached.isPartial(overviewKinds) ? first : await read()
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
    namespaces: knownNamespaces(cached).length,
    workloads: assessment.workloads.length,
    services: cached.table('services').size(),
    ...cached.freshness(overviewKinds),
  }
  const silence = cached.silence()
  if (!silence || cached.isPartial(overviewKinds)) return overview
  return asItWas(overview, `The cluster "${cluster.title}" does not answer: ${silence.reason}.`)
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
