import { and, asc, count, eq, isNull, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { alerts } from '../../../tables/alerts.ts'
import { clusters } from '../../../tables/clusters.ts'
import { metricSources } from '../../../tables/metric-sources.ts'
import { secrets } from '../../../tables/secrets.ts'
import { users } from '../../../tables/users.ts'

export type SourceRow = Awaited<ReturnType<typeof listSources>>[number]

const clusterId = sql`(${metricSources.target} ->> 'clusterId')::int`
const secretId = sql`(${metricSources.target} -> 'auth' ->> 'secretId')::uuid`

const selectSources = (db: Db) =>
  db
    .select({
      id: metricSources.id,
      name: metricSources.name,
      target: metricSources.target,
      clusterName: clusters.title,
      secretName: secrets.name,
      testedAt: metricSources.testedAt,
      problem: metricSources.problem,
      createdBy: metricSources.createdBy,
      createdByName: users.name,
      createdByEmail: users.email,
      createdAt: metricSources.createdAt,
      updatedAt: metricSources.updatedAt,
    })
    .from(metricSources)
    .leftJoin(
      clusters,
      and(
        eq(clusters.organizationId, metricSources.organizationId),
        eq(clusters.id, clusterId),
        isNull(clusters.deletedAt),
      ),
    )
    .leftJoin(
      secrets,
      and(eq(secrets.organizationId, metricSources.organizationId), eq(secrets.id, secretId)),
    )
    .leftJoin(users, eq(users.id, metricSources.createdBy))

const byId = (organizationId: number, id: string) =>
  and(eq(metricSources.organizationId, organizationId), eq(metricSources.id, id))

/** By name. */
export const listSources = (db: Db, organizationId: number) =>
  selectSources(db)
    .where(eq(metricSources.organizationId, organizationId))
    .orderBy(asc(sql`lower(${metricSources.name})`))

export async function findSource(db: Db, organizationId: number, id: string): Promise<SourceRow | undefined> {
  const [row] = await selectSources(db).where(byId(organizationId, id))
  return row
}

/** Keeps a source from being changed by others until the transaction ends. */
export async function lockSource(db: Db, organizationId: number, id: string): Promise<SourceRow | undefined> {
  await db.select({ id: metricSources.id }).from(metricSources).where(byId(organizationId, id)).for('update')
  return findSource(db, organizationId, id)
}

export async function insertSource(db: Db, values: typeof metricSources.$inferInsert): Promise<void> {
  await db.insert(metricSources).values(values)
}

export async function updateSource(
  db: Db,
  organizationId: number,
  id: string,
  values: Partial<typeof metricSources.$inferInsert>,
): Promise<void> {
  // A change of nothing.
  if (Object.values(values).every((value) => value === undefined)) return
  await db.update(metricSources).set(values).where(byId(organizationId, id))
}

export async function deleteSource(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(metricSources).where(byId(organizationId, id))
}

/** How many alerts are evaluated over a source. */
export async function countAlertsOver(db: Db, organizationId: number, id: string): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(alerts)
    .where(and(eq(alerts.organizationId, organizationId), eq(alerts.source, id)))
  return row?.count ?? 0
}
