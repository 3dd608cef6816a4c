import type { Health } from '@bey/contract'
import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'

export type ObservedCluster = { id: number; organizationId: number; title: string }

/** How long a process that says no more keeps its clusters. */
const leaseSeconds = 30

/**
 * Claims running clusters without an observer and renews the claims of this process, at most `max` in total; returns
 * the claimed ones. Only clusters whose address is known, and none of a sleeping demo.
 */
export async function claimClusters(db: Db, observer: string, max: number): Promise<ObservedCluster[]> {
  const { rows } = await db.execute<{ id: number; organization_id: number; title: string }>(sql`
    with held as (
      insert into cluster_health (cluster_id, organization_id, observer, lease_until)
      select c.id, c.organization_id, ${observer}, now() + make_interval(secs => ${leaseSeconds})
      from clusters c
      join cluster_connections n on n.cluster_id = c.id and n.url is not null
      left join cluster_health h on h.cluster_id = c.id
      where c.status = 'RUNNING' and c.deleted_at is null
        and not exists (select from demos d where d.organization_id = c.organization_id and d.asleep_since is not null)
        and (h.cluster_id is null or h.observer = ${observer} or h.lease_until <= now())
      order by h.observer = ${observer} desc nulls last, c.id
      limit ${max}
      on conflict (cluster_id) do update set observer = excluded.observer, lease_until = excluded.lease_until
        where cluster_health.observer = excluded.observer or cluster_health.lease_until <= now()
      returning cluster_id
    )
    select c.id, c.organization_id, c.title from held join clusters c on c.id = held.cluster_id`)
  return rows.map(({ id, organization_id: organizationId, title }) => ({ id, organizationId, title }))
}

/** Lets another process take over at once. */
export async function releaseClusters(db: Db, observer: string): Promise<void> {
  await db.execute(sql`update cluster_health set lease_until = now() where observer = ${observer}`)
}

/**
 * Writes what was found as long as this process observes the cluster; false if it does not any more. A state that
 * goes on keeps the time at which it began.
 */
export async function recordHealth(
  db: Db,
  clusterId: number,
  observer: string,
  { state, reason, detail, since, object }: Health,
  now: Date,
): Promise<boolean> {
  const began = since ?? now.toISOString()
  const { rowCount } = await db.execute(sql`
    update cluster_health set state = ${state}, reason = ${reason}, detail = ${detail},
      object = ${object === null ? null : JSON.stringify(object)}::jsonb,
      since = case when state = ${state} then least(since, ${began}::timestamptz) else ${began}::timestamptz end
    where cluster_id = ${clusterId} and observer = ${observer}`)
  return (rowCount ?? 0) > 0
}

/** True if the members have not been notified of this state yet. A healthy start is no news. */
export async function announce(
  db: Db,
  clusterId: number,
  observer: string,
  what: 'trouble' | 'recovery',
): Promise<boolean> {
  const { rows } = await db.execute<{ before: string | null }>(sql`
    update cluster_health h set announced = ${what}
    from (select cluster_id, announced as before from cluster_health where cluster_id = ${clusterId} for update) old
    where h.cluster_id = old.cluster_id and h.observer = ${observer} and old.before is distinct from ${what}
    returning old.before`)
  const [row] = rows
  return row !== undefined && (row.before !== null || what === 'trouble')
}

/** Who observes these clusters now: the observers by the ids of their clusters. */
export async function findObservers(db: Db, clusterIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await db.execute<{ cluster_id: number; observer: string }>(sql`
    select cluster_id, observer from cluster_health
    where cluster_id = any(${sql.param([...clusterIds])}::int[]) and lease_until > now()`)
  return new Map(rows.map(({ cluster_id: clusterId, observer }) => [clusterId, observer]))
}
