import type { Database } from '../../platform/db/database.ts'
import { totalOf } from '../../platform/db/totals.ts'
import type { Workflows } from '../workflows/service.ts'
import { existing } from './existing-cluster.ts'
import { type ClusterFilter, clusterPage, countClusters } from './list.ts'
import { presentCluster } from './present.ts'
import type { ClusterProvider } from './provider.ts'
import { readReferences } from './references.ts'
import { findCluster } from './store.ts'

/** What screens read of clusters. What names a cluster throws AppError `not_found` where there is none. */
export function createClusterReads({
  database,
  workflows,
  providers,
}: {
  database: Database
  workflows: Pick<Workflows, 'progress'>
  providers: ReadonlyMap<string, ClusterProvider>
}) {
  return {
    async list(organizationId: number, filter: ClusterFilter) {
      const { page, limit } = filter
      const rows = await database.readOnce(organizationId, (db) => clusterPage(db, organizationId, filter))
      const isLast = rows.length <= limit && (rows.length > 0 || page === 1)
      const total = isLast
        ? totalOf((page - 1) * limit + rows.length)
        : await database.readOnce(organizationId, (db) => countClusters(db, organizationId, filter))
      return { clusters: rows.slice(0, limit).map(presentCluster), ...total, page, limit }
    },

    /** The list as CLUSTERS_UPDATE carries it: its first page, newest first. */
    async expand(organizationId: number) {
      const {
        clusters,
        total,
        totalIsExact = true,
      } = await this.list(organizationId, {
        page: 1,
        limit: 50,
        sort: 'createdAt',
      })
      // Said either way: the reader merges it into the page that is on screen.
      return { clusters, total, totalIsExact }
    },

    get(organizationId: number, id: number) {
      return database.readTenant(organizationId, async (db) =>
        presentCluster(existing(await findCluster(db, organizationId, id))),
      )
    },

    providers: () =>
      Promise.all(
        [...providers.values()].map(async (provider) => ({
          ...provider.describe(),
          capacity: (await provider.capacity?.()) ?? null,
        })),
      ),

    /** What else refers to a cluster. Streams that are open are counted by the process that holds them. */
    references(organizationId: number, id: number) {
      return database.readTenant(organizationId, async (db) => {
        existing(await findCluster(db, organizationId, id))
        return readReferences(db, organizationId, id)
      })
    },

    status(organizationId: number, id: number) {
      return database.readTenant(organizationId, async (db) => {
        const row = existing(await findCluster(db, organizationId, id))
        const run = row.lastRunId === null ? undefined : await workflows.progress(db, row.lastRunId)
        return {
          clusterId: id,
          status: row.status,
          pending_operations: row.pendingOperations,
          error: row.error,
          workflowId: row.lastWorkflowId,
          runId: row.lastRunId,
          runStatus: run?.status ?? null,
          currentStep: run?.currentStep ?? null,
          progress: run?.progressPercent ?? 0,
        }
      })
    },
  }
}
