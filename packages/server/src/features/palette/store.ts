import type { PaletteEntity } from '@bey/contract'
import { healthOfCluster } from '@bey/contract'
import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { clusterHealth } from '../../tables/cluster-health.ts'
import { clusters } from '../../tables/clusters.ts'
import { lastRun } from '../../tables/last-run.ts'
import { observedHealth, type ObservedHealthColumn } from '../../tables/observed-health.ts'
import { workflows } from '../../tables/workflows.ts'
import { formatCursor, type PaletteCursor } from './cursor.ts'

export type PalettePage = { items: PaletteEntity[]; nextCursor: string | null }

/** One page of what the palette finds: clusters that are not deleted, then workflows, each newest first. */
export async function palettePage(
  db: Db,
  organizationId: number,
  cursor: PaletteCursor | undefined,
  limit: number,
): Promise<PalettePage> {
  // One row more than the page tells whether there is a next one.
  const items =
    cursor?.type === 'workflow' ? [] : await clustersAfter(db, organizationId, cursor?.id, limit + 1)
  if (items.length <= limit) {
    const after = cursor?.type === 'workflow' ? cursor.id : undefined
    items.push(...(await workflowsAfter(db, organizationId, after, limit + 1 - items.length)))
  }
  const page = items.slice(0, limit)
  const last = page.at(-1)
  return { items: page, nextCursor: items.length > limit && last ? formatCursor(last) : null }
}

// Both keysets are (organization_id, id), which a unique key of each table serves; ids grow with time.
async function clustersAfter(
  db: Db,
  organizationId: number,
  after: number | undefined,
  limit: number,
): Promise<PaletteEntity[]> {
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
        eq(clusters.organizationId, organizationId),
        isNull(clusters.deletedAt),
        after === undefined ? undefined : lt(clusters.id, after),
      ),
    )
    .orderBy(desc(clusters.id))
    .limit(limit)
  return rows.map((row) => ({
    id: String(row.id),
    type: 'cluster',
    title: row.title,
    description: row.region ?? '',
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
    version: row.version,
    nodeCount: row.nodeCount,
    isBuiltIn: false,
    lastRunAt: null,
  }))
}

async function workflowsAfter(
  db: Db,
  organizationId: number,
  after: string | undefined,
  limit: number,
): Promise<PaletteEntity[]> {
  const rows = await db
    .select({
      id: workflows.id,
      title: workflows.name,
      description: workflows.description,
      builtIn: workflows.builtIn,
      status: lastRun.status,
      lastRunAt: lastRun.queuedAt,
      createdAt: workflows.createdAt,
    })
    .from(workflows)
    .leftJoinLateral(lastRun, sql`true`)
    .where(
      and(
        eq(workflows.organizationId, organizationId),
        after === undefined ? undefined : lt(workflows.id, after),
      ),
    )
    .orderBy(desc(workflows.id))
    .limit(limit)
  return rows.map((row) => ({
    id: row.id,
    type: 'workflow',
    title: row.title,
    description: row.description,
    status: row.status ?? 'idle',
    health: null,
    createdAt: row.createdAt.toISOString(),
    version: null,
    nodeCount: null,
    isBuiltIn: row.builtIn !== null,
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
  }))
}
