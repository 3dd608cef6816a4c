import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'

/** Names of the nodes that carry a control plane, of those that Bey has seen: no cluster can do without them. */
export async function readControlPlanes(
  db: Db,
  organizationId: number,
  clusterId: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select distinct name from object_versions
    where organization_id = ${organizationId} and cluster_id = ${clusterId} and resource = 'nodes'
      and object -> 'metadata' -> 'labels' ? 'node-role.kubernetes.io/control-plane'`)
  return new Set(rows.map(({ name }) => name))
}
