import type { Capacity, Dashboard } from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Kubernetes } from '../kubernetes/kubernetes.ts'
import { countByStatus, countRunsByStatus, listRunningClusters, type RunningCluster } from './store.ts'

/** The dashboard does not wait longer than this for clusters; those that are late are named as missing. */
const clusterTimeoutMs = 2_000
const dayMs = 24 * 60 * 60 * 1000

type Figures = Awaited<ReturnType<Kubernetes['figures']>>
type Outcome = { cluster: RunningCluster; figures: Figures } | { cluster: RunningCluster; reason: string }

export type AnalyticsService = { dashboard(organizationId: number): Promise<Dashboard> }

export function createAnalyticsService(deps: {
  database: Pick<Database, 'readTenant'>
  figures: Kubernetes['figures']
  clock: Clock
}): AnalyticsService {
  const { database, clock } = deps

  async function read(cluster: RunningCluster, organizationId: number): Promise<Outcome> {
    try {
      const figures = await deps.figures({ ...cluster, organizationId }, clusterTimeoutMs)
      if (figures.isLive) return { cluster, figures }
      // Old figures would be summed with today's as if they were true.
      return { cluster, reason: `It has not answered since ${figures.asOf}.` }
    } catch (error) {
      if (error instanceof AppError) return { cluster, reason: error.message }
      throw error
    }
  }

  return {
    async dashboard(organizationId) {
      const now = clock.now()
      const { statuses, running, runs } = await database.readTenant(organizationId, async (db) => ({
        statuses: await countByStatus(db, organizationId),
        running: await listRunningClusters(db, organizationId),
        runs: await countRunsByStatus(db, organizationId, new Date(now.getTime() - dayMs)),
      }))
      const outcomes = await Promise.all(running.map((cluster) => read(cluster, organizationId)))
      const readable = outcomes.filter((outcome) => 'figures' in outcome)
      return {
        clusters: counted(statuses),
        ...totals(readable.map(({ figures }) => figures)),
        runs24h: counted(runs),
        clusterRows: readable.map(({ cluster, figures: { nodes, pods, capacity } }) => {
          return { id: cluster.id, title: cluster.title, nodes, pods, capacity }
        }),
        unreachableClusters: outcomes.flatMap((outcome) =>
          'reason' in outcome ? [{ ...outcome.cluster, reason: outcome.reason }] : [],
        ),
        asOf: clock.now().toISOString(),
      }
    },
  }
}

function counted(byStatus: Record<string, number>): { total: number; byStatus: Record<string, number> } {
  return { total: Object.values(byStatus).reduce((sum, each) => sum + each, 0), byStatus }
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
      storageBytes: {
        requested: sum(({ capacity }) => capacity.storageBytes.requested),
        allocatable: sum(({ capacity }) => capacity.storageBytes.allocatable),
      },
      pods: {
        requested: sum(({ capacity }) => capacity.pods.requested),
        allocatable: sum(({ capacity }) => capacity.pods.allocatable),
      },
    },
  }
}
