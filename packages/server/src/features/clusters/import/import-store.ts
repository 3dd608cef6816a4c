import { and, eq, isNull, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { clusterConnections } from '../../../tables/cluster-connections.ts'
import { clusters } from '../../../tables/clusters.ts'

/** The cluster of this organization that has this server and authority, the oldest first. */
export async function findByServerKey(db: Db, organizationId: number, serverKey: string) {
  const rows = await db
    .select({ id: clusters.id, title: clusters.title })
    .from(clusterConnections)
    .innerJoin(clusters, eq(clusters.id, clusterConnections.clusterId))
    .where(
      and(
        eq(clusterConnections.organizationId, organizationId),
        eq(clusterConnections.serverKey, serverKey),
        isNull(clusters.deletedAt),
      ),
    )
    .orderBy(clusters.id)
    .limit(1)
  return rows[0]
}

/** Lower-case titles of clusters that exist, of those that begin like these. */
export async function takenTitles(db: Db, organizationId: number): Promise<string[]> {
  const rows = await db
    .select({ title: sql<string>`lower(${clusters.title})` })
    .from(clusters)
    .where(and(eq(clusters.organizationId, organizationId), isNull(clusters.deletedAt)))
    .limit(1_000)
  return rows.map(({ title }) => title)
}

/** Keeps what changed of an imported cluster's connection. */
export async function updateImported(
  db: Db,
  clusterId: number,
  values: Pick<typeof clusterConnections.$inferInsert, 'imported' | 'test'>,
): Promise<void> {
  await db
    .update(clusterConnections)
    .set({ ...values, updatedAt: new Date() })
    .where(eq(clusterConnections.clusterId, clusterId))
}
