import { and, desc, eq, gte, inArray, lt, lte, sql } from 'drizzle-orm'
import { actorLabel } from '../../../platform/audit/actor-label.ts'
import type { Db } from '../../../platform/db/database.ts'
import { auditEntries } from '../../../tables/audit-entries.ts'
import { objectVersions } from '../../../tables/object-versions.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { workflows } from '../../../tables/workflows.ts'

export type VersionRow = typeof objectVersions.$inferInsert

/** Versions kept of one object, and of all objects of a cluster together. */
const maxPerObject = 30
const maxPerCluster = 20_000
/** Bytes of all objects that are kept of a cluster, as JSON. */
const maxBytesPerCluster = 128 * 1024 * 1024

/** The newest hash of every object of a resource that is not deleted, by `namespace/name`. */
export async function latestHashes(
  db: Db,
  clusterId: number,
  resource: string,
): Promise<Map<string, { uid: string; hash: string; at: Date }>> {
  const rows = await db
    .selectDistinctOn([objectVersions.namespace, objectVersions.name], {
      namespace: objectVersions.namespace,
      name: objectVersions.name,
      uid: objectVersions.uid,
      hash: objectVersions.hash,
      at: objectVersions.at,
      change: objectVersions.change,
    })
    .from(objectVersions)
    .where(and(eq(objectVersions.clusterId, clusterId), eq(objectVersions.resource, resource)))
    .orderBy(objectVersions.namespace, objectVersions.name, desc(objectVersions.at), desc(objectVersions.id))
  return new Map(
    rows
      .filter(({ change }) => change !== 'deleted')
      .map(({ namespace, name, uid, hash, at }) => [`${namespace}/${name}`, { uid, hash, at }]),
  )
}

/** Inserts versions of one resource and removes what is beyond the bounds. */
export async function insertVersions(db: Db, versions: readonly VersionRow[]): Promise<void> {
  const [first] = versions
  if (!first) return
  await db.insert(objectVersions).values([...versions])
  const { clusterId, resource } = first
  await db.execute(sql`
    delete from object_versions v using (
      select id, row_number() over (partition by namespace, name order by at desc, id desc) as n
      from object_versions
      where cluster_id = ${clusterId} and resource = ${resource}
        and (namespace, name) in (
          select * from unnest(${sql.param(versions.map((each) => each.namespace))}::text[],
            ${sql.param(versions.map((each) => each.name))}::text[]))
    ) old
    where v.id = old.id and old.n > ${maxPerObject}`)
}

/** Removes the oldest versions of a cluster beyond its bound. */
export async function trimCluster(db: Db, clusterId: number): Promise<void> {
  await db.execute(sql`
    delete from object_versions where cluster_id = ${clusterId} and (at, id) < (
      select at, id from object_versions where cluster_id = ${clusterId}
      order by at desc, id desc offset ${maxPerCluster - 1} limit 1)`)
}

/** Removes the oldest versions of a cluster beyond the bytes that are kept of it; reads every row of the cluster. */
export async function trimClusterBytes(
  db: Db,
  clusterId: number,
  maxBytes: number = maxBytesPerCluster,
): Promise<void> {
  await db.execute(sql`
    delete from object_versions where cluster_id = ${clusterId} and (at, id) <= (
      select at, id from (
        select at, id, sum(bytes) over (order by at desc, id desc) as total
        from object_versions where cluster_id = ${clusterId}
      ) summed
      where total > ${maxBytes} order by at desc, id desc limit 1)`)
}

/** Names of the resources of which a cluster has versions. */
export async function recordedNames(db: Db, clusterId: number): Promise<string[]> {
  const rows = await db
    .selectDistinct({ resource: objectVersions.resource })
    .from(objectVersions)
    .where(eq(objectVersions.clusterId, clusterId))
  return rows.map(({ resource }) => resource)
}

const listed = {
  id: objectVersions.id,
  at: objectVersions.at,
  change: objectVersions.change,
  manager: objectVersions.manager,
  bytes: objectVersions.bytes,
  isKept: sql<boolean>`${objectVersions.object} is not null`,
  resource: objectVersions.resource,
  kind: objectVersions.kind,
  namespace: objectVersions.namespace,
  name: objectVersions.name,
}
export type ListedVersion = Awaited<ReturnType<typeof listVersions>>[number]

export function listVersions(
  db: Db,
  {
    clusterId,
    resource,
    namespace,
    name,
  }: { clusterId: number; resource: string; namespace: string; name: string },
) {
  return db
    .select(listed)
    .from(objectVersions)
    .where(
      and(
        eq(objectVersions.clusterId, clusterId),
        eq(objectVersions.resource, resource),
        eq(objectVersions.namespace, namespace),
        eq(objectVersions.name, name),
      ),
    )
    .orderBy(desc(objectVersions.at), desc(objectVersions.id))
    .limit(50)
}

export async function findVersion(db: Db, clusterId: number, id: string) {
  const [found] = await db
    .select({ ...listed, object: objectVersions.object })
    .from(objectVersions)
    .where(and(eq(objectVersions.clusterId, clusterId), eq(objectVersions.id, id)))
  return found
}

/** The object as it was before a version; null where that is not known. */
export async function objectBefore(db: Db, clusterId: number, version: ListedVersion) {
  const [found] = await db
    .select({ object: objectVersions.object })
    .from(objectVersions)
    .where(
      and(
        eq(objectVersions.clusterId, clusterId),
        eq(objectVersions.resource, version.resource),
        eq(objectVersions.namespace, version.namespace),
        eq(objectVersions.name, version.name),
        sql`(${objectVersions.at}, ${objectVersions.id}) < (${version.at.toISOString()}::timestamptz, ${version.id}::uuid)`,
      ),
    )
    .orderBy(desc(objectVersions.at), desc(objectVersions.id))
    .limit(1)
  return found?.object ?? null
}

type Window = { clusterId: number; from: Date; to: Date }

/** Changes of objects within a time, newest first; what was merely found is no change. */
export function changedVersions(
  db: Db,
  { clusterId, from, to }: Window,
  namespace: string | undefined,
  limit: number,
) {
  return db
    .select(listed)
    .from(objectVersions)
    .where(
      and(
        eq(objectVersions.clusterId, clusterId),
        gte(objectVersions.at, from),
        lte(objectVersions.at, to),
        inArray(objectVersions.change, ['created', 'updated', 'deleted']),
        namespace === undefined ? undefined : eq(objectVersions.namespace, namespace),
      ),
    )
    .orderBy(desc(objectVersions.at), desc(objectVersions.id))
    .limit(limit)
}

/** Since when objects of a cluster are recorded; null before the first. */
export async function recordedSince(db: Db, clusterId: number, resource?: string): Promise<Date | null> {
  const [row] = await db
    .select({ at: sql<string | null>`min(${objectVersions.at})` })
    .from(objectVersions)
    .where(
      and(
        eq(objectVersions.clusterId, clusterId),
        resource === undefined ? undefined : eq(objectVersions.resource, resource),
      ),
    )
  return row?.at ? new Date(row.at) : null
}

/** What was done to a cluster's objects through Bey within a time, as far as it succeeded. */
export function actsWithin(db: Db, { clusterId, from, to }: Window, limit: number) {
  return db
    .select({
      id: auditEntries.id,
      at: auditEntries.at,
      actor: actorLabel,
      action: auditEntries.action,
      diff: auditEntries.diff,
      outcome: auditEntries.outcome,
    })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.targetType, 'cluster'),
        eq(auditEntries.targetId, String(clusterId)),
        gte(auditEntries.at, from),
        lt(auditEntries.at, to),
        inArray(auditEntries.class, ['create', 'update', 'delete', 'execute']),
        inArray(auditEntries.outcome, ['success', 'failure']),
      ),
    )
    .orderBy(desc(auditEntries.at))
    .limit(limit)
}
export type Act = Awaited<ReturnType<typeof actsWithin>>[number]

/** Runs on a cluster that began within a time. */
export function runsWithin(db: Db, { clusterId, from, to }: Window, limit: number) {
  return db
    .select({
      id: workflowRuns.id,
      workflowId: workflowRuns.workflowId,
      at: workflowRuns.queuedAt,
      status: workflowRuns.status,
      workflow: workflows.name,
    })
    .from(workflowRuns)
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .where(
      and(
        eq(workflowRuns.subjectType, 'cluster'),
        eq(workflowRuns.subjectId, String(clusterId)),
        gte(workflowRuns.queuedAt, from),
        lte(workflowRuns.queuedAt, to),
      ),
    )
    .orderBy(desc(workflowRuns.queuedAt))
    .limit(limit)
}
