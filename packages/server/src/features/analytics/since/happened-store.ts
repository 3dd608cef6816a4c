import type { RunStatus } from '@bey/contract'
import { and, desc, eq, gte, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { actorLabel } from '../../../platform/audit/actor-label.ts'
import type { Db } from '../../../platform/db/database.ts'
import { exactTotal } from '../../../platform/db/totals.ts'
import { auditEntries } from '../../../tables/audit-entries.ts'
import { clusters } from '../../../tables/clusters.ts'
import { objectVersions } from '../../../tables/object-versions.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { workflows } from '../../../tables/workflows.ts'

/** A time in one organization. */
export type Window = { organizationId: number; from: Date; to: Date }

/** Rows of each kind that are looked through for what matters; all of them are counted. */
const readRows = 400

/** Objects of clusters that people and deployments wrote, newest first; what was merely found is no change. */
export async function changedObjects(db: Db, { organizationId, from, to }: Window) {
  return db
    .select({
      at: objectVersions.at,
      change: objectVersions.change,
      manager: objectVersions.manager,
      resource: objectVersions.resource,
      kind: objectVersions.kind,
      namespace: objectVersions.namespace,
      name: objectVersions.name,
      clusterId: objectVersions.clusterId,
      cluster: clusters.title,
    })
    .from(objectVersions)
    .innerJoin(
      clusters,
      and(eq(clusters.organizationId, organizationId), eq(clusters.id, objectVersions.clusterId)),
    )
    .where(
      and(
        eq(objectVersions.organizationId, organizationId),
        isNull(clusters.deletedAt),
        gte(objectVersions.at, from),
        lte(objectVersions.at, to),
        ne(objectVersions.change, 'found'),
      ),
    )
    .orderBy(desc(objectVersions.at), desc(objectVersions.id))
    .limit(readRows)
}
export type ChangedObject = Awaited<ReturnType<typeof changedObjects>>[number]

const changingClasses = ['create', 'update', 'delete', 'execute', 'access']

/** What others did in Bey itself, newest first. Acts on objects of clusters are among the changed objects. */
export async function actsOfOthers(db: Db, { organizationId, from, to }: Window, userId: number) {
  return db
    .select({
      at: auditEntries.at,
      action: auditEntries.action,
      actor: actorLabel,
      name: auditEntries.actorDisplay,
      targetType: auditEntries.targetType,
      targetId: auditEntries.targetId,
      targetName: auditEntries.targetName,
    })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.organizationId, organizationId),
        gte(auditEntries.at, from),
        lte(auditEntries.at, to),
        inArray(auditEntries.class, changingClasses),
        eq(auditEntries.outcome, 'success'),
        isNull(auditEntries.objectKey),
        // Runs are counted as runs.
        isNull(auditEntries.runId),
        ne(auditEntries.actorType, 'system'),
        or(isNull(auditEntries.actorId), ne(auditEntries.actorId, String(userId))),
      ),
    )
    .orderBy(desc(auditEntries.at), desc(auditEntries.seq))
    .limit(readRows)
}
export type ActOfOthers = Awaited<ReturnType<typeof actsOfOthers>>[number]

/** Runs that were queued in a time, newest first. */
export async function queuedRuns(db: Db, { organizationId, from, to }: Window) {
  return db
    .select({
      id: workflowRuns.id,
      workflowId: workflowRuns.workflowId,
      workflow: workflows.name,
      status: workflowRuns.status,
      queuedAt: workflowRuns.queuedAt,
      finishedAt: workflowRuns.finishedAt,
    })
    .from(workflowRuns)
    .innerJoin(
      workflows,
      and(eq(workflows.organizationId, organizationId), eq(workflows.id, workflowRuns.workflowId)),
    )
    .where(
      and(
        eq(workflowRuns.organizationId, organizationId),
        gte(workflowRuns.queuedAt, from),
        lte(workflowRuns.queuedAt, to),
      ),
    )
    .orderBy(desc(workflowRuns.queuedAt), desc(workflowRuns.id))
    .limit(readRows)
}
export type QueuedRun = Awaited<ReturnType<typeof queuedRuns>>[number]

/** How a run ended that did not do its work, or that waits for a decision. */
export const failedStatuses: readonly RunStatus[] = ['failed', 'timed_out', 'needs_attention']

/** How much there was of a kind in a time, up to one more than is said exactly. */
export async function countSince(
  db: Db,
  { organizationId, from, to }: Window,
  userId: number,
): Promise<{ objects: number; acts: number; runs: number; failedRuns: number }> {
  const [since, until, most] = [from.toISOString(), to.toISOString(), exactTotal + 1]
  const { rows } = await db.execute<{ objects: number; acts: number; runs: number; failed: number }>(sql`
    select
      (select count(*)::int from (
        select 1 from object_versions v
        join clusters c on c.organization_id = ${organizationId} and c.id = v.cluster_id and c.deleted_at is null
        where v.organization_id = ${organizationId} and v.change <> 'found'
          and v.at between ${since} and ${until} limit ${most}) o) as objects,
      (select count(*)::int from (
        select 1 from audit_entries where organization_id = ${organizationId} and at between ${since} and ${until}
          and class = any(${sql.param(changingClasses)}::text[]) and outcome = 'success' and object_key is null
          and run_id is null and actor_type <> 'system'
          and (actor_id is null or actor_id <> ${String(userId)}) limit ${most}) a) as acts,
      (select count(*)::int from (
        select 1 from workflow_runs where organization_id = ${organizationId}
          and queued_at between ${since} and ${until} limit ${most}) r) as runs,
      (select count(*)::int from (
        select 1 from workflow_runs where organization_id = ${organizationId}
          and queued_at between ${since} and ${until}
          and status = any(${sql.param([...failedStatuses])}::text[]) limit ${most}) f) as failed`)
  const [row] = rows
  return {
    objects: row?.objects ?? 0,
    acts: row?.acts ?? 0,
    runs: row?.runs ?? 0,
    failedRuns: row?.failed ?? 0,
  }
}
