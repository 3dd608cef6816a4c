import type { GivenAttachment, NetworkAttachment } from '@bey/contract'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'

import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { clusters } from '../../tables/clusters.ts'
import { databases } from '../../tables/databases.ts'
import { networkAttachments, networks } from '../../tables/networks.ts'

export type AttachmentRow = NetworkAttachment & { networkId: string; databaseHost: string | null }

/** What is attached to these networks; what is deleted is attached to nothing. */
export async function listAttachments(
  db: Db,
  organizationId: number,
  networkIds: readonly string[],
): Promise<AttachmentRow[]> {
  if (networkIds.length === 0) return []
  const rows = await db
    .select({
      networkId: networkAttachments.networkId,
      clusterId: networkAttachments.clusterId,
      clusterTitle: clusters.title,
      namespace: networkAttachments.namespace,
      databaseId: networkAttachments.databaseId,
      databaseName: databases.name,
      databaseHost: databases.host,
    })
    .from(networkAttachments)
    .leftJoin(clusters, and(eq(clusters.id, networkAttachments.clusterId), isNull(clusters.deletedAt)))
    .leftJoin(databases, and(eq(databases.id, networkAttachments.databaseId), isNull(databases.deletedAt)))
    .where(
      and(
        eq(networkAttachments.organizationId, organizationId),
        inArray(networkAttachments.networkId, [...networkIds]),
        sql`(${clusters.id} is not null or ${databases.id} is not null)`,
      ),
    )
    .orderBy(asc(clusters.title), asc(networkAttachments.namespace), asc(databases.name))
  return rows.map(({ databaseName, clusterTitle, namespace, ...row }) => {
    if (row.databaseId !== null) {
      return { ...row, kind: 'database', namespace: null, clusterTitle: null, name: databaseName ?? '' }
    }
    return namespace === ''
      ? { ...row, kind: 'cluster', namespace: null, clusterTitle: null, name: clusterTitle ?? '' }
      : { ...row, kind: 'namespace', namespace, clusterTitle, name: namespace }
  })
}

/** Makes this all that is attached to a network. */
export async function replaceAttachments(
  db: Db,
  { organizationId, networkId }: { organizationId: number; networkId: string },
  given: readonly GivenAttachment[],
): Promise<void> {
  await db
    .delete(networkAttachments)
    .where(
      and(eq(networkAttachments.organizationId, organizationId), eq(networkAttachments.networkId, networkId)),
    )
  if (given.length === 0) return
  const rows = given.map((each) => ({
    id: uuidv7(),
    organizationId,
    networkId,
    clusterId: each.kind === 'database' ? null : each.clusterId,
    namespace: each.kind === 'namespace' ? each.namespace : '',
    databaseId: each.kind === 'database' ? each.databaseId : null,
  }))
  await db.insert(networkAttachments).values(rows)
}

/** What of these takes part in another network, with its name; at most one each. */
export async function attachedElsewhere(
  db: Db,
  organizationId: number,
  networkId: string | undefined,
  given: readonly GivenAttachment[],
): Promise<{ at: number; network: string }[]> {
  const rows = await db
    .select({
      networkId: networkAttachments.networkId,
      network: networks.name,
      clusterId: networkAttachments.clusterId,
      namespace: networkAttachments.namespace,
      databaseId: networkAttachments.databaseId,
    })
    .from(networkAttachments)
    .innerJoin(networks, eq(networks.id, networkAttachments.networkId))
    .where(and(eq(networkAttachments.organizationId, organizationId), isNull(networks.deletedAt)))
  const others = rows.filter((row) => row.networkId !== networkId)
  return given.flatMap((each, at) => {
    const found = others.find((row) =>
      each.kind === 'database'
        ? row.databaseId === each.databaseId
        : row.clusterId === each.clusterId &&
          (each.kind === 'cluster' || row.namespace === '' || row.namespace === each.namespace),
    )
    return found === undefined ? [] : [{ at, network: found.network }]
  })
}

/** Databases of the organization among these that are not deleted. */
export async function findDatabases(db: Db, organizationId: number, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db
    .select({ id: databases.id, name: databases.name })
    .from(databases)
    .where(
      and(
        eq(databases.organizationId, organizationId),
        inArray(databases.id, [...ids]),
        isNull(databases.deletedAt),
      ),
    )
}
