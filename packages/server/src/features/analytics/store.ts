import { and, asc, count, eq, gte, isNull } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { clusters } from '../../tables/clusters.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'

export type RunningCluster = { id: number; title: string }

/** Clusters of which the dashboard can show rows, as the contract bounds them. */
const maxRunning = 200

/** Clusters that are not deleted, by status. */
export async function countByStatus(db: Db, organizationId: number): Promise<Record<string, number>> {
  const rows = await db
    .select({ status: clusters.status, total: count() })
    .from(clusters)
    .where(and(eq(clusters.organizationId, organizationId), isNull(clusters.deletedAt)))
    .groupBy(clusters.status)
  return Object.fromEntries(rows.map((row) => [row.status, row.total]))
}

export function listRunningClusters(db: Db, organizationId: number): Promise<RunningCluster[]> {
  return db
    .select({ id: clusters.id, title: clusters.title })
    .from(clusters)
    .where(
      and(
        eq(clusters.organizationId, organizationId),
        isNull(clusters.deletedAt),
        eq(clusters.status, 'RUNNING'),
      ),
    )
    .orderBy(asc(clusters.title))
    .limit(maxRunning)
}

/** Runs queued since, by their status now. */
export async function countRunsByStatus(
  db: Db,
  organizationId: number,
  since: Date,
): Promise<Record<string, number>> {
  const rows = await db
    .select({ status: workflowRuns.status, total: count() })
    .from(workflowRuns)
    .where(and(eq(workflowRuns.organizationId, organizationId), gte(workflowRuns.queuedAt, since)))
    .groupBy(workflowRuns.status)
  return Object.fromEntries(rows.map((row) => [row.status, row.total]))
}
