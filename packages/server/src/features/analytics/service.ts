import type { Capacity, Dashboard, Health } from '@bey/contract'
import { healthRank, needsAttention } from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { exactTotal } from '../../platform/db/totals.ts'
import { AppError } from '../../platform/errors.ts'
import type { Kubernetes } from '../kubernetes/feature.ts'
import type { AlertHealth } from '../alerts/attention.ts'
import type { DatabaseHealth } from '../databases/health.ts'
import type { IngressHealth } from '../ingress/health.ts'
import type { NetworkHealth } from '../networks/health.ts'
import { alertItem, clusterItem, databaseItem, ingressItem, networkItem, runItem } from './attention-items.ts'
import {
  countByStatus,
  countRunsByStatus,
  type DashboardCluster,
  listClusters,
  listTroubledRuns,
} from './store.ts'
import { summaryOf } from './summary.ts'

/** The dashboard does not wait longer than this for clusters; those that are late are named as missing. */
const clusterTimeoutMs = 2_000
const dayMs = 24 * 60 * 60 * 1000

type Figures = Awaited<ReturnType<Kubernetes['figures']>>
type Outcome = { cluster: DashboardCluster; health: Health } & (
  | { figures: Figures }
  | { reason: string }
  | object
)

export type AnalyticsService = { dashboard(organizationId: number): Promise<Dashboard> }

export function createAnalyticsService(deps: {
  database: Pick<Database, 'readTenant'>
  figures: Kubernetes['figures']
  attentionOf: Kubernetes['attentionOf']
  attentionList: Kubernetes['attentionList']
  alertHealth: (organizationId: number) => Promise<AlertHealth[]>
  databaseHealth: (organizationId: number) => Promise<DatabaseHealth[]>
  networkHealth: (organizationId: number) => Promise<NetworkHealth[]>
  ingressHealth: (organizationId: number) => Promise<IngressHealth[]>
  clock: Clock
}): AnalyticsService {
  const { database, clock } = deps

  async function read(cluster: DashboardCluster, organizationId: number): Promise<Outcome> {
    const { health } = cluster
    if (cluster.status !== 'RUNNING') return { cluster, health }
    const missing = (reason: string, since: Date | null = null): Outcome => ({
      cluster,
      reason,
      health: unseen(health, reason, since),
    })
    try {
      const figures = await deps.figures({ ...cluster, organizationId }, clusterTimeoutMs)
      if (figures.isLive) {
        // What was stored is a moment older; since when it is so, is known there alone.
        const now = figures.assessment.cluster
        const since = now.state === health.state ? health.since : now.since
        return { cluster, figures, health: { ...now, since } }
      }
      // Old figures would be summed with today's as if they were true.
      const { silence } = figures
      return silence
        ? missing(`It does not answer: ${silence.reason}.`, silence.since)
        : missing('It is being read again.')
    } catch (error) {
      if (error instanceof AppError) return missing(error.message)
      throw error
    }
  }

  return {
    async dashboard(organizationId) {
      const now = clock.now()
      const dayAgo = new Date(now.getTime() - dayMs)
      const healthOfOthers = Promise.all([
        deps.databaseHealth(organizationId),
        deps.networkHealth(organizationId),
        deps.ingressHealth(organizationId),
        deps.alertHealth(organizationId),
      ])
      // What is awaited first may fail first.
      healthOfOthers.catch(() => undefined)
      const { statuses, all, runs, troubled } = await database.readTenant(organizationId, async (db) => ({
        statuses: await countByStatus(db, organizationId),
        all: await listClusters(db, organizationId),
        runs: cappedCounts(await countRunsByStatus(db, organizationId, dayAgo)),
        troubled: await listTroubledRuns(db, organizationId, dayAgo),
      }))
      const outcomes = await Promise.all(all.map((cluster) => read(cluster, organizationId)))
      outcomes.sort((a, b) => healthRank(a.health.state) - healthRank(b.health.state))
      const [databases, networks, ingress, alerts] = await healthOfOthers
      const readable = outcomes.flatMap((outcome) => ('figures' in outcome ? [outcome] : []))
      const failed = new Set([
        ...all.filter(({ status }) => status === 'ERROR').map(({ id }) => `cluster/${id}`),
        ...databases.filter(({ health }) => health.state === 'failing').map(({ id }) => `database/${id}`),
        ...networks.filter(({ health }) => health.state === 'failing').map(({ id }) => `network/${id}`),
      ])
      const attention = [
        ...outcomes.flatMap((outcome) => {
          const { cluster, health } = outcome
          if ('figures' in outcome) return deps.attentionOf(cluster, outcome.figures.assessment)
          return needsAttention(health) ? [clusterItem(cluster, health)] : []
        }),
        ...databases.filter(({ health }) => needsAttention(health)).map(databaseItem),
        ...networks.filter(({ health }) => needsAttention(health)).map(networkItem),
        ...ingress.map(ingressItem),
        ...alerts.map(alertItem),
        // What failed as a whole names the cause itself.
        ...troubled.filter(({ subject }) => !failed.has(subject)).map(runItem),
      ]
      const sums = totals(readable.map(({ figures }) => figures))
      const failingPods = readable.map(({ figures }) => countFailing(figures))
      return {
        summary: summaryOf({
          clusters: outcomes.map(({ cluster, health }) => ({ title: cluster.title, health })),
          databases: databases.map(({ health }) => health),
          attention,
          nodes: sums.nodes.total,
          pods: { total: sums.pods.total, failing: failingPods.reduce((sum, each) => sum + each, 0) },
          runs24h: runs,
        }),
        attention: deps.attentionList(attention),
        clusters: counted(statuses),
        ...sums,
        runs24h: runs,
        clusterRows: readable.map(
          ({ cluster, health, figures: { nodes, pods, capacity, nodeMap } }, index) => {
            const { id, title, provider, region, version } = cluster
            const failing = failingPods[index] ?? 0
            return {
              id,
              title,
              provider,
              region,
              version,
              health,
              failingPods: failing,
              nodeMap,
              nodes,
              pods,
              capacity,
            }
          },
        ),
        unreachableClusters: outcomes.flatMap((outcome) =>
          'reason' in outcome
            ? [
                {
                  id: outcome.cluster.id,
                  title: outcome.cluster.title,
                  reason: outcome.reason,
                  since: outcome.health.since,
                },
              ]
            : [],
        ),
        asOf: clock.now().toISOString(),
      }
    },
  }
}

function unseen(health: Health, detail: string, since: Date | null): Health {
  if (health.state === 'unknown') return { ...health, since: since?.toISOString() ?? health.since }
  return {
    state: 'unknown',
    reason: 'Unreachable',
    detail,
    since: since?.toISOString() ?? null,
    object: null,
  }
}

function countFailing({ assessment }: Figures): number {
  let count = 0
  for (const [pod, { state }] of assessment.pods) if (state === 'failing' && !pod.isTerminal) count += 1
  return count
}

function counted(byStatus: Record<string, number>): { total: number; byStatus: Record<string, number> } {
  return { total: Object.values(byStatus).reduce((sum, each) => sum + each, 0), byStatus }
}

/** Of the clusters whose claims can be read; null where there is none such. */
function storageOf(all: Figures[]): Capacity['storageBytes'] {
  const known = all.map(({ capacity }) => capacity.storageBytes).filter((each) => each !== null)
  if (all.length > 0 && known.length === 0) return null
  return {
    requested: known.reduce((sum, { requested }) => sum + requested, 0),
    bound: known.reduce((sum, { bound }) => sum + bound, 0),
  }
}

function cappedCounts(byStatus: Record<string, number>): Dashboard['runs24h'] {
  const capped = Object.entries(byStatus).map(
    ([status, count]) => [status, Math.min(count, exactTotal)] as const,
  )
  const isExact = Object.values(byStatus).every((count) => count <= exactTotal)
  return { ...counted(Object.fromEntries(capped)), ...(isExact ? {} : { totalIsExact: false }) }
}

function totals(all: Figures[]): Pick<Dashboard, 'nodes' | 'pods' | 'capacity'> {
  const sum = (of: (figures: Figures) => number) => all.reduce((total, each) => total + of(each), 0)
  const byPhase: Record<string, number> = {}
  for (const { pods } of all) {
    for (const [phase, count] of Object.entries(pods.byPhase)) byPhase[phase] = (byPhase[phase] ?? 0) + count
  }
  const usable = (of: 'cpuMillicores' | 'memoryBytes'): Capacity['cpuMillicores'] => {
    const used = all.map(({ capacity }) => capacity[of].used).filter((each) => each !== null)
    return {
      requested: sum(({ capacity }) => capacity[of].requested),
      allocatable: sum(({ capacity }) => capacity[of].allocatable),
      // A sum over some of the clusters would look like too little use of all of them.
      used:
        all.length > 0 && used.length === all.length ? used.reduce((total, each) => total + each, 0) : null,
    }
  }
  return {
    nodes: { total: sum(({ nodes }) => nodes.total), ready: sum(({ nodes }) => nodes.ready) },
    pods: { total: sum(({ pods }) => pods.total), byPhase },
    capacity: {
      cpuMillicores: usable('cpuMillicores'),
      memoryBytes: usable('memoryBytes'),
      storageBytes: storageOf(all),
      pods: {
        requested: sum(({ capacity }) => capacity.pods.requested),
        allocatable: sum(({ capacity }) => capacity.pods.allocatable),
      },
    },
  }
}
