import { entities, healthOfCluster, type PaletteEntity } from '@bey/contract'
import { and, desc, eq, ilike, isNull, lt, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import type { PaletteWindow } from '../../platform/palette-source.ts'
import { clusterHealth } from '../../tables/cluster-health.ts'
import { clusters } from '../../tables/clusters.ts'
import { observedHealth, type ObservedHealthColumn } from '../../tables/observed-health.ts'

/** Clusters for the palette. The keyset (organization_id, id) is a unique key of the table; ids grow with time. */
export async function paletteClusters(db: Db, window: PaletteWindow): Promise<PaletteEntity[]> {
  const rows = await db
    .select({
      id: clusters.id,
      title: clusters.title,
      status: clusters.status,
      error: clusters.error,
      reachability: clusters.reachability,
      reachabilitySince: clusters.reachabilitySince,
      reachabilityReason: clusters.reachabilityReason,
      observed: sql<ObservedHealthColumn>`(
        select ${sql.raw(observedHealth)} from ${clusterHealth} h where h.cluster_id = ${clusters.id})`,
      region: clusters.region,
      version: clusters.version,
      nodeCount: sql<number>`(select coalesce(sum((node_group->>'count')::int), 0)::int
        from jsonb_array_elements(${clusters.nodeGroups}) as node_group)`,
      createdAt: clusters.createdAt,
    })
    .from(clusters)
    .where(
      and(
        eq(clusters.organizationId, window.organizationId),
        isNull(clusters.deletedAt),
        window.after === undefined ? undefined : lt(clusters.id, Number(window.after)),
        window.search ? ilike(clusters.title, containing(window.search)) : undefined,
      ),
    )
    .orderBy(desc(clusters.id))
    .limit(window.limit)
  return rows.map((row) => ({
    id: String(row.id),
    type: 'cluster',
    title: entities.cluster.label(row),
    subtitle: entities.cluster.subtitle(row),
    status: row.status,
    health: healthOfCluster({
      ...row,
      reachability: {
        state: row.reachability,
        since: row.reachabilitySince?.toISOString() ?? null,
        reason: row.reachabilityReason,
      },
    }),
    createdAt: row.createdAt.toISOString(),
    isReadOnly: false,
    lastUsedAt: null,
  }))
}
