import { type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import type { MeteredCluster } from './clusters.ts'
import type { MeteredDatabase } from './databases.ts'

/** Clusters of an organization that are measured. */
export const readMeteredClusters = (db: Db, organizationId: number): Promise<MeteredCluster[]> =>
  clustersWhere(db, sql`c.organization_id = ${organizationId} and c.deleted_at is null`)

/** Databases of an organization. */
export const readMeteredDatabases = (db: Db, organizationId: number): Promise<MeteredDatabase[]> =>
  databasesWhere(db, sql`d.organization_id = ${organizationId} and d.deleted_at is null`)

/** Of every organization, those with a quarter of an hour that was closed at `dueMs` and is not metered. */
export async function readDue(
  db: Db,
  dueMs: number,
): Promise<{ clusters: MeteredCluster[]; databases: MeteredDatabase[] }> {
  const due = sql`${new Date(dueMs).toISOString()}::timestamptz`
  const isDue = (deletedAt: SQL) => sql`coalesce(m.metered_to, '-infinity') <= ${due}
    and (${deletedAt} is null or ${deletedAt} > coalesce(m.metered_to, '-infinity'))`
  return {
    clusters: await clustersWhere(db, isDue(sql`c.deleted_at`)),
    databases: await databasesWhere(db, isDue(sql`d.deleted_at`)),
  }
}

async function clustersWhere(db: Db, condition: SQL): Promise<MeteredCluster[]> {
  const { rows } = await db.execute<MeteredCluster>(sql`
    select c.id, c.organization_id as "organizationId", c.title as name, c.provider, c.region, c.labels,
      extract(epoch from c.created_at)::float8 * 1000 as "createdAtMs",
      extract(epoch from c.deleted_at)::float8 * 1000 as "deletedAtMs"
    from clusters c left join usage_marks m on m.organization_id = c.organization_id
      and m.entity_type = 'cluster' and m.entity_id = c.id::text
    where ${condition}
      and exists (select from metric_series s where s.organization_id = c.organization_id
        and s.entity_type = 'cluster' and s.entity_id = c.id::text)
    order by c.id`)
  return rows
}

async function databasesWhere(db: Db, condition: SQL): Promise<MeteredDatabase[]> {
  const { rows } = await db.execute<MeteredDatabase>(sql`
    select d.id, d.organization_id as "organizationId", d.name, d.provider,
      case when c.id is not null then json_build_object('id', c.id, 'name', c.title) end as cluster,
      extract(epoch from d.created_at)::float8 * 1000 as "createdAtMs"
    from databases d
    left join clusters c on c.organization_id = d.organization_id and c.id = d.cluster_id
    left join usage_marks m on m.organization_id = d.organization_id
      and m.entity_type = 'database' and m.entity_id = d.id::text
    where ${condition}
    order by d.id`)
  return rows
}
