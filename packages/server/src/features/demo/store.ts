import type { NodeGroup } from '@bey/contract'
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import type { LivingDemo } from '../../platform/demo.ts'
import { clusterHealth } from '../../tables/cluster-health.ts'
import { clusters } from '../../tables/clusters.ts'
import { demos } from '../../tables/demos.ts'
import { memberships } from '../../tables/memberships.ts'
import { organizations } from '../../tables/organizations.ts'
import { users } from '../../tables/users.ts'

export async function insertDemoOrganization(
  db: Db,
  values: { name: string; ownerId: number; now: Date; endsAt: Date },
): Promise<number> {
  const { name, ownerId, now, endsAt } = values
  const createdAt = new Date(now.getTime() - 14 * 86_400_000)
  const [row] = await db.insert(organizations).values({ name, createdAt }).returning({ id: organizations.id })
  if (row === undefined) throw new Error('The organization was not inserted')
  await db.insert(demos).values({ organizationId: row.id, createdBy: ownerId, endsAt, seenAt: now })
  await db.insert(memberships).values({ organizationId: row.id, userId: ownerId, role: 'OWNER' })
  await db.update(users).set({ activeOrganizationId: row.id }).where(eq(users.id, ownerId))
  return row.id
}

export async function setIncidentCluster(db: Db, organizationId: number, clusterId: number): Promise<void> {
  await db.update(demos).set({ incidentClusterId: clusterId }).where(eq(demos.organizationId, organizationId))
}

/** The demo that a person made, if there is one. */
export async function demoOf(db: Db, userId: number) {
  const rows = await db
    .select({ organizationId: demos.organizationId, name: organizations.name })
    .from(demos)
    .innerJoin(organizations, eq(organizations.id, demos.organizationId))
    .where(eq(demos.createdBy, userId))
  return rows[0]
}

/** The owner of a demo who was made with it, as long as it is not being removed. */
export async function findVisitor(db: Db): Promise<number | undefined> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(demos, and(eq(demos.organizationId, users.demoOrganizationId), eq(demos.createdBy, users.id)))
    .where(gt(demos.endsAt, sql`now()`))
    .limit(1)
  return rows[0]?.id
}

export async function findDemo(db: Db, organizationId: number) {
  const rows = await db.select().from(demos).where(eq(demos.organizationId, organizationId))
  return rows[0]
}

/** Its clusters, the first one first, and whether figures of each are there. */
export function demoClusterRows(db: Db, organizationId: number) {
  return db
    .select({
      id: clusters.id,
      title: clusters.title,
      isObserved: sql<boolean>`coalesce(${clusterHealth.overview} is not null and ${clusterHealth.leaseUntil} > now(), false)`,
    })
    .from(clusters)
    .leftJoin(clusterHealth, eq(clusterHealth.clusterId, clusters.id))
    .where(and(eq(clusters.organizationId, organizationId), isNull(clusters.deletedAt)))
    .orderBy(clusters.id)
    .limit(10)
}

/** When the workload that causes the incident was last changed by someone who is real. */
export async function causeChangedAt(
  db: Db,
  organizationId: number,
  clusterId: number,
): Promise<string | null> {
  const { rows } = await db.execute<{ at: string | null }>(sql`
    select max(at) as at from audit_entries
    where organization_id = ${organizationId} and target_type = 'cluster' and target_id = ${String(clusterId)}
      and object_key = ${demoCause} and outcome = 'success' and diff ->> 'seeded' is null`)
  const at = rows[0]?.at
  return at == null ? null : new Date(at).toISOString()
}

/** The workload that fails first in the incident, as the audit trail names it. */
const demoCause = 'deployments/catalog/search'

/** Notes that a member looks; answers whether it slept until now. */
export async function noteLook(db: Db, organizationId: number, now: Date): Promise<boolean> {
  const { rows } = await db.execute<{ slept: boolean }>(sql`
    update demos d set seen_at = ${now.toISOString()}, asleep_since = null
    from (select asleep_since is not null as slept from demos where organization_id = ${organizationId} for update) o
    where d.organization_id = ${organizationId} returning o.slept`)
  return rows[0]?.slept === true
}

/** Puts demos to sleep that were not looked at since then. */
export async function putToSleep(db: Db, unseenSince: Date, now: Date): Promise<void> {
  await db
    .update(demos)
    .set({ asleepSince: now })
    .where(and(isNull(demos.asleepSince), lt(demos.seenAt, unseenSince)))
}

/** Demos that sleep since before a time. */
export async function sleepingDemos(db: Db, since: Date): Promise<number[]> {
  const rows = await db
    .select({ organizationId: demos.organizationId })
    .from(demos)
    .where(lt(demos.asleepSince, since))
    .limit(200)
  return rows.map(({ organizationId }) => organizationId)
}

/** Demos that go on, each with whether all of its clusters answer. */
export async function livingDemos(db: Db, now: Date): Promise<LivingDemo[]> {
  const { rows } = await db.execute<{ id: number; asleep: boolean; ready: boolean }>(sql`
    select d.organization_id as id, d.asleep_since is not null as asleep,
      not exists (
        select 1 from clusters c left join cluster_health h on h.cluster_id = c.id
        where c.organization_id = d.organization_id and c.deleted_at is null
          and (h.overview is null or h.state = 'unknown' or h.lease_until <= now())) as ready
    from demos d where d.ends_at > ${now.toISOString()} order by 1 limit 200`)
  return rows.map(({ id, asleep, ready }) => ({ organizationId: id, isAsleep: asleep, isReady: ready }))
}

/** Demos that have run out, or whose removal was begun. */
export async function endedDemos(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .select({ organizationId: demos.organizationId })
    .from(demos)
    .where(lt(demos.endsAt, now))
    .limit(20)
  return rows.map(({ organizationId }) => organizationId)
}

/** From here on no process of the clusters is started again, and what is left is removed by the next round at the latest. */
export async function beginRemoval(db: Db, organizationId: number): Promise<void> {
  const past = new Date(0)
  await db.update(demos).set({ endsAt: past }).where(eq(demos.organizationId, organizationId))
  await db
    .update(organizations)
    .set({ deletionRequestedAt: new Date(), deletesAt: past })
    .where(eq(organizations.id, organizationId))
  await db
    .update(clusters)
    .set({ status: 'DELETED', deletedAt: new Date() })
    .where(eq(clusters.organizationId, organizationId))
}

/** Placements of all clusters that the organization ever had. */
export async function allClusters(db: Db, organizationId: number) {
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
    .where(eq(clusters.organizationId, organizationId))
}

/** People of a demo who belong to another organization by now outlive it. */
export async function keepVisitorsElsewhere(db: Db, organizationId: number): Promise<void> {
  await db.execute(sql`
    update users u set demo_organization_id = null where demo_organization_id = ${organizationId}
      and exists (select 1 from memberships m where m.user_id = u.id and m.organization_id <> ${organizationId})`)
}

/** The audit trail of a demo, which no other organization's can be removed like. */
export async function deleteTrail(db: Db, organizationId: number): Promise<void> {
  // Held until the end: entries that are being linked are seen as links, and none is linked from here on.
  await db.execute(sql`
    insert into audit_heads (organization_id, seq, hash) values (${organizationId}, 0, ''::bytea)
    on conflict (organization_id) do nothing`)
  await db.execute(sql`select 1 from audit_heads where organization_id = ${organizationId} for update`)
  for (const table of [
    'audit_pending',
    'audit_terms',
    'audit_links',
    'audit_checkpoints',
    'audit_heads',
    'audit_verifications',
    'audit_streams',
    'audit_entries',
  ]) {
    await db.execute(sql`delete from ${sql.identifier(table)} where organization_id = ${organizationId}`)
  }
}
