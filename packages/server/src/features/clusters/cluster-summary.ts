import { and, asc, count, eq, isNull } from 'drizzle-orm'
import type { ClusterStatus } from '@bey/contract'
import { clusterCan } from '@bey/contract'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { clusters } from '../../tables/clusters.ts'

/** What other features need to know of a cluster. */
export type ClusterSummary = {
  id: number
  organizationId: number
  title: string
  status: ClusterStatus
  pendingOperations: number
  version: string
}

/** Clusters as other features ask for them. */
export type ClusterSummaries = {
  find(organizationId: number, clusterId: number): Promise<ClusterSummary | undefined>
  /** Throws AppError `not_found`, or `conflict` while its Kubernetes API cannot be expected to answer. */
  getRunning(organizationId: number, clusterId: number): Promise<ClusterSummary>
  /** Those whose Kubernetes API can be expected to answer, by title; at most `limit`. */
  listRunning(organizationId: number, limit: number): Promise<ClusterSummary[]>
  /** How many there are by provider, deleted ones apart. */
  countByProvider(organizationId: number): Promise<Record<string, number>>
}

export function createClusterSummaries(database: Pick<Database, 'readTenant'>): ClusterSummaries {
  return {
    find: (organizationId, clusterId) =>
      database.readTenant(organizationId, (db) => findCluster(db, clusterId)),
    getRunning: (organizationId, clusterId) =>
      database.readTenant(organizationId, (db) => getRunningCluster(db, clusterId)),
    listRunning: (organizationId, limit) =>
      database.readTenant(organizationId, (db) => listRunningClusters(db, limit)),
    countByProvider: (organizationId) => database.readTenant(organizationId, countByProvider),
  }
}

const summaryColumns = {
  id: clusters.id,
  organizationId: clusters.organizationId,
  title: clusters.title,
  status: clusters.status,
  pendingOperations: clusters.pendingOperations,
  version: clusters.version,
}

async function listRunningClusters(db: Db, limit: number): Promise<ClusterSummary[]> {
  const rows = await db
    .select(summaryColumns)
    .from(clusters)
    .where(and(eq(clusters.status, 'RUNNING'), isNull(clusters.deletedAt)))
    .orderBy(asc(clusters.title), asc(clusters.id))
    .limit(limit)
  return rows.map((row) => ({ ...row, version: row.version ?? '' }))
}

async function countByProvider(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .select({ provider: clusters.provider, total: count() })
    .from(clusters)
    .where(isNull(clusters.deletedAt))
    .groupBy(clusters.provider)
  return Object.fromEntries(rows.map(({ provider, total }) => [provider, total]))
}

/** A cluster that is not deleted. */
async function findCluster(db: Db, clusterId: number): Promise<ClusterSummary | undefined> {
  const rows = await db
    .select(summaryColumns)
    .from(clusters)
    .where(and(eq(clusters.id, clusterId), isNull(clusters.deletedAt)))
  const [row] = rows
  return row && { ...row, version: row.version ?? '' }
}

export async function getCluster(db: Db, clusterId: number): Promise<ClusterSummary> {
  const cluster = await findCluster(db, clusterId)
  if (!cluster) throw new AppError('not_found', `There is no cluster ${clusterId} in this organization.`)
  return cluster
}

/** Throws AppError `conflict` while its Kubernetes API cannot be expected to answer. */
export async function getRunningCluster(db: Db, clusterId: number): Promise<ClusterSummary> {
  const cluster = await getCluster(db, clusterId)
  const notYet = clusterCan.connect({ status: cluster.status, pending_operations: cluster.pendingOperations })
  if (notYet) throw new AppError('conflict', `The cluster "${cluster.title}" cannot be reached. ${notYet}`)
  return cluster
}
