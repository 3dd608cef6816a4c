import type { ClusterProviderId, ClusterStatus, Health, RunStatus } from '@bey/contract'
import { healthOfCluster, runStatuses } from '@bey/contract'
import { and, asc, count, desc, eq, gte, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { exactTotal } from '../../platform/db/totals.ts'
import { clusterHealth } from '../../tables/cluster-health.ts'
import { clusters } from '../../tables/clusters.ts'
import { observedHealth, type ObservedHealthColumn } from '../../tables/observed-health.ts'
import { subjectOf } from '../../tables/entity-tables.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'
import { workflows } from '../../tables/workflows.ts'

export type DashboardCluster = {
  id: number
  title: string
  provider: ClusterProviderId
  status: ClusterStatus
  region: string
  version: string
  health: Health
}

/** Clusters of which the dashboard can show rows, as the contract bounds them. */
const maxClusters = 200

/** Clusters that are not deleted, by status. */
export async function countByStatus(db: Db, organizationId: number): Promise<Record<string, number>> {
  const rows = await db
    .select({ status: clusters.status, total: count() })
    .from(clusters)
    .where(and(eq(clusters.organizationId, organizationId), isNull(clusters.deletedAt)))
    .groupBy(clusters.status)
  return Object.fromEntries(rows.map((row) => [row.status, row.total]))
}

/** Clusters that are not deleted, with their health as it was found last. */
export async function listClusters(db: Db, organizationId: number): Promise<DashboardCluster[]> {
  const rows = await db
    .select({
      id: clusters.id,
      title: clusters.title,
      provider: sql<ClusterProviderId>`${clusters.provider}`,
      status: clusters.status,
      region: clusters.region,
      version: clusters.version,
      error: clusters.error,
      reachability: clusters.reachability,
      reachabilitySince: clusters.reachabilitySince,
      reachabilityReason: clusters.reachabilityReason,
      observed: sql<ObservedHealthColumn>`(
        select ${sql.raw(observedHealth)} from ${clusterHealth} h where h.cluster_id = ${clusters.id})`,
    })
    .from(clusters)
    .where(and(eq(clusters.organizationId, organizationId), isNull(clusters.deletedAt)))
    .orderBy(asc(clusters.title))
    .limit(maxClusters)
  return rows.map(({ id, title, provider, status, region, version, ...row }) => {
    const reachability = {
      state: row.reachability,
      since: row.reachabilitySince?.toISOString() ?? null,
      reason: row.reachabilityReason,
    }
    const health = healthOfCluster({ status, error: row.error, observed: row.observed, reachability })
    return { id, title, provider, status, region: region ?? '', version: version ?? '', health }
  })
}

export type TroubledRun = {
  runId: string
  workflowId: string
  workflowName: string
  status: RunStatus
  error: string | null
  at: Date
  clusterId: number | null
  clusterTitle: string | null
  /** What it works on, as `cluster/4`; empty where that is nothing. */
  subject: string
}

/** At most so many runs are looked through. */
const maxRuns = 500

/** Newest runs since of each workflow on each subject, as far as they failed or wait for a decision. */
export async function listTroubledRuns(db: Db, organizationId: number, since: Date): Promise<TroubledRun[]> {
  const newest = db
    .select({
      id: workflowRuns.id,
      workflowId: workflowRuns.workflowId,
      status: workflowRuns.status,
      error: sql<string | null>`${workflowRuns.error}->>'message'`.as('message'),
      queuedAt: workflowRuns.queuedAt,
      finishedAt: workflowRuns.finishedAt,
      subject_type: sql<string | null>`${workflowRuns.subjectType}`.as('subject_type'),
      subject_id: sql<string | null>`${workflowRuns.subjectId}`.as('subject_id'),
    })
    .from(workflowRuns)
    .where(and(eq(workflowRuns.organizationId, organizationId), gte(workflowRuns.queuedAt, since)))
    .orderBy(desc(workflowRuns.queuedAt))
    .limit(maxRuns)
    .as('newest')
  const rows = await db
    .select({
      runId: newest.id,
      workflowId: newest.workflowId,
      workflowName: workflows.name,
      status: newest.status,
      error: newest.error,
      at: sql<Date>`coalesce(${newest.finishedAt}, ${newest.queuedAt})`.mapWith(newest.queuedAt),
      queuedAt: newest.queuedAt,
      clusterId: sql<
        number | null
      >`case ${newest.subject_type} when 'cluster' then ${newest.subject_id}::int end`,
      clusterTitle: sql<string | null>`case ${newest.subject_type} when 'cluster' then subject.name end`,
      isGone: sql<boolean>`subject.is_gone`,
      subject: sql<string>`coalesce(${newest.subject_type} || '/' || ${newest.subject_id}, '')`,
    })
    .from(newest)
    .innerJoin(workflows, eq(workflows.id, newest.workflowId))
    .leftJoin(sql.raw(subjectOf('newest')), sql`true`)
    .orderBy(desc(newest.queuedAt))
  const seen = new Set<string>()
  return rows.filter((row) => {
    const key = `${row.workflowId}/${row.subject}`
    if (seen.has(key)) return false
    seen.add(key)
    return !row.isGone && ['failed', 'timed_out', 'needs_attention'].includes(row.status)
  })
}

/** Runs queued since, by their status now; of each status one more than `exactTotal` means any more. */
export async function countRunsByStatus(
  db: Db,
  organizationId: number,
  since: Date,
): Promise<Record<string, number>> {
  const { rows } = await db.execute<{ status: RunStatus; total: number }>(sql`
    select s.status, counted.total
    from unnest(${sql.param([...runStatuses])}::text[]) s(status)
    cross join lateral (
      select count(*)::int as total from (
        select 1 from workflow_runs
        where organization_id = ${organizationId} and status = s.status and queued_at >= ${since.toISOString()}
        limit ${exactTotal + 1}
      ) found
    ) counted
    where counted.total > 0`)
  return Object.fromEntries(rows.map((row) => [row.status, row.total]))
}
