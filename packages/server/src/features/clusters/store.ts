import { clusterMoves, type ClusterProviderId, type ClusterStatus, type NodeGroup } from '@bey/contract'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { lockCall, lockUntilCommit } from '../../platform/db/locks.ts'
import { walkMoves } from '../../platform/moves.ts'
import { clusterHealth } from '../../tables/cluster-health.ts'
import { clusterConnections } from '../../tables/cluster-connections.ts'
import { clusters } from '../../tables/clusters.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { observedHealth, type ObservedHealthColumn } from '../../tables/observed-health.ts'
import { users } from '../../tables/users.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'

const columns = {
  id: clusters.id,
  organizationId: clusters.organizationId,
  title: clusters.title,
  description: clusters.description,
  labels: clusters.labels,
  status: clusters.status,
  pendingOperations: clusters.pendingOperations,
  provider: sql<ClusterProviderId>`${clusters.provider}`,
  region: clusters.region,
  version: clusters.version,
  nodeGroups: sql<NodeGroup[]>`${clusters.nodeGroups}`,
  error: clusters.error,
  reachability: clusters.reachability,
  reachabilitySince: clusters.reachabilitySince,
  reachabilityReason: clusters.reachabilityReason,
  replacedAt: clusters.replacedAt,
  restartedAt: clusters.restartedAt,
  restartReason: clusters.restartReason,
  isVerified: sql<boolean>`coalesce((select (n.imported->>'isVerified')::boolean from ${clusterConnections} n where n.cluster_id = ${clusters.id}), true)`,
  observed: sql<ObservedHealthColumn>`(
    select ${sql.raw(observedHealth)} from ${clusterHealth} h where h.cluster_id = ${clusters.id})`,
  lastRunId: clusters.lastRunId,
  lastWorkflowId: workflowRuns.workflowId,
  createdBy: clusters.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: clusters.createdAt,
  updatedAt: clusters.updatedAt,
}

export type ClusterRow = Awaited<ReturnType<typeof findCluster>> & {}

function selectClusters(db: Db) {
  return db
    .select(columns)
    .from(clusters)
    .leftJoin(users, eq(users.id, clusters.createdBy))
    .leftJoin(workflowRuns, eq(workflowRuns.id, clusters.lastRunId))
}

export async function findCluster(db: Db, organizationId: number, id: number) {
  const rows = await selectClusters(db).where(
    and(eq(clusters.organizationId, organizationId), eq(clusters.id, id)),
  )
  return rows[0]
}

/** The row alone, locked until the transaction ends. */
export async function lockCluster(db: Db, organizationId: number, id: number) {
  const rows = await db
    .select()
    .from(clusters)
    .where(and(eq(clusters.organizationId, organizationId), eq(clusters.id, id)))
    .for('update')
  return rows[0]
}

export async function insertCluster(
  db: Db,
  values: Pick<
    typeof clusters.$inferInsert,
    'organizationId' | 'title' | 'provider' | 'region' | 'version' | 'nodeGroups' | 'createdBy'
  >,
): Promise<number> {
  const rows = await db
    .insert(clusters)
    .values({ ...values, status: 'PENDING', pendingOperations: 1 })
    .returning({ id: clusters.id })
  const [row] = rows
  if (row === undefined) throw new Error('The cluster was not inserted')
  return row.id
}

/** Serialises what counts an organization's clusters, until the transaction ends. */
export async function lockOrganization(db: Db, organizationId: number): Promise<void> {
  await lockUntilCommit(db, 'clusterCount', organizationId)
}

export function countOfProvider(db: Db, organizationId: number, provider: string): Promise<number> {
  return db.$count(
    clusters,
    and(
      eq(clusters.organizationId, organizationId),
      eq(clusters.provider, provider),
      isNull(clusters.deletedAt),
    ),
  )
}

type ClusterValues = Omit<Partial<typeof clusters.$inferInsert>, 'status'>

/** Changes whatever does not belong to its status. */
export async function updateCluster(db: Db, id: number, values: ClusterValues): Promise<void> {
  await db
    .update(clusters)
    .set({ ...values, rowVersion: sql`${clusters.rowVersion} + 1` })
    .where(eq(clusters.id, id))
}

/**
 * Moves a cluster as long as this run is its newest and its status is one of these; true if it did. Throws IllegalMove
 * when the table of legal moves does not lead from each of them to the new status.
 */
export async function moveCluster(
  db: Db,
  id: number,
  runId: string,
  from: readonly ClusterStatus[],
  to: ClusterStatus,
  values: ClusterValues,
): Promise<boolean> {
  for (const each of from) walkMoves('cluster', clusterMoves, each, [to])
  const rows = await db
    .update(clusters)
    .set({ ...values, status: to, rowVersion: sql`${clusters.rowVersion} + 1` })
    .where(and(eq(clusters.id, id), eq(clusters.lastRunId, runId), inArray(clusters.status, [...from])))
    .returning({ id: clusters.id })
  return rows.length > 0
}

/** A cluster that the caller has locked gets a new run, and with it the status that it has meanwhile. */
export async function assignRun(
  db: Db,
  cluster: { id: number; status: ClusterStatus },
  runId: string,
  status: ClusterStatus,
): Promise<void> {
  if (status !== cluster.status) walkMoves('cluster', clusterMoves, cluster.status, [status])
  await db
    .update(clusters)
    .set({ status, pendingOperations: 1, lastRunId: runId, rowVersion: sql`${clusters.rowVersion} + 1` })
    .where(eq(clusters.id, cluster.id))
}

/** Whether this run is still the newest of a cluster that is in one of these statuses. */
export async function isNewestRun(
  db: Db,
  id: number,
  runId: string,
  statuses: ClusterStatus[],
): Promise<boolean> {
  const rows = await db
    .select({ id: clusters.id })
    .from(clusters)
    .where(and(eq(clusters.id, id), eq(clusters.lastRunId, runId), inArray(clusters.status, statuses)))
  return rows.length > 0
}

/**
 * The row and its newest run, both locked until the transaction ends. The run first, as by everything that moves a
 * run, for the end of a run moves its cluster; and in turns, so that the newest run stays it until it is locked.
 */
export async function lockWithNewestRun(db: Db, organizationId: number, id: number) {
  const isThis = and(eq(clusters.organizationId, organizationId), eq(clusters.id, id))
  await db
    .select({ turn: sql.raw(lockCall('xact_lock', 'clusterTurn', 'clusters.id')) })
    .from(clusters)
    .where(isThis)
  const [newestRun] = await db
    .select(runState)
    .from(workflowRuns)
    .innerJoin(clusters, eq(clusters.lastRunId, workflowRuns.id))
    .where(isThis)
    .for('update', { of: workflowRuns })
  return { cluster: await lockCluster(db, organizationId, id), newestRun }
}

/** Runs on a cluster that are not over, the oldest first. */
export async function listOpenRuns(db: Db, organizationId: number, clusterId: number): Promise<string[]> {
  const rows = await db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(
      and(
        eq(workflowRuns.organizationId, organizationId),
        eq(workflowRuns.subjectType, 'cluster'),
        eq(workflowRuns.subjectId, String(clusterId)),
        isNull(workflowRuns.finishedAt),
      ),
    )
    .orderBy(asc(workflowRuns.queuedAt))
  return rows.map(({ id }) => id)
}

const runState = { id: workflowRuns.id, workflowId: workflowRuns.workflowId, status: workflowRuns.status }

export type RunState = { id: string; workflowId: string; status: typeof workflowRuns.$inferSelect.status }

export async function findConnection(db: Db, clusterId: number) {
  const rows = await db.select().from(clusterConnections).where(eq(clusterConnections.clusterId, clusterId))
  return rows[0]
}

export async function saveConnection(db: Db, values: typeof clusterConnections.$inferInsert): Promise<void> {
  const { clusterId, organizationId, ...rest } = values
  await db
    .insert(clusterConnections)
    .values({ clusterId, organizationId, ...rest })
    .onConflictDoUpdate({ target: clusterConnections.clusterId, set: { ...rest, updatedAt: new Date() } })
}

export async function deleteConnection(db: Db, clusterId: number): Promise<void> {
  await db.delete(clusterConnections).where(eq(clusterConnections.clusterId, clusterId))
}

/** Revokes every living kubeconfig token of a cluster; answers how many there were. */
export async function revokeTokens(db: Db, clusterId: number, now: Date): Promise<number> {
  const rows = await db
    .update(kubeconfigTokens)
    .set({ revokedAt: now })
    .where(and(eq(kubeconfigTokens.clusterId, clusterId), isNull(kubeconfigTokens.revokedAt)))
    .returning({ id: kubeconfigTokens.id })
  return rows.length
}

/**
 * Clusters that should be running, which those of a sleeping demo should not, and that the process of `machineId` looks after: its own, and those of
 * machines where no process lives any more.
 */
export async function listToSupervise(db: Db, machineId: string) {
  const { rows } = await db.execute<{ id: number; organization_id: number }>(sql`
    select c.id, c.organization_id from clusters c join cluster_connections n on n.cluster_id = c.id
    where c.status = 'RUNNING' and c.deleted_at is null and n.dir is not null
      and not exists (select from demos d where d.organization_id = c.organization_id and d.asleep_since is not null)
      and (n.machine_id = ${machineId}
        or not exists (select 1 from processes p where p.machine_id = n.machine_id))
    order by c.id`)
  return rows.map((row) => ({ id: row.id, organizationId: row.organization_id }))
}

/** The clusters that run, as providers take them. */
export function listClusterRows(db: Db, organizationId: number) {
  return db
    .select({
      id: clusters.id,
      organizationId: clusters.organizationId,
      title: clusters.title,
      region: clusters.region,
      version: clusters.version,
      nodeGroups: sql<NodeGroup[]>`${clusters.nodeGroups}`,
    })
    .from(clusters)
    .where(and(eq(clusters.organizationId, organizationId), eq(clusters.status, 'RUNNING')))
}

/** Whether a server process with another data directory lives. */
export async function hasPeers(db: Db, machineId: string): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from processes where machine_id <> ${machineId} and heartbeat_at > now() - interval '10 seconds' limit 1`)
  return rows.length > 0
}
