import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { and, eq, isNull } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { clusterLists } from '../../../tables/cluster-lists.ts'
import { clusters } from '../../../tables/clusters.ts'
import type { Cluster } from '../parts.ts'
import type { IngressProblem } from './problems.ts'

/** Under which they are kept among the lists of a cluster. */
const key = 'ingress problems'

/** What was found at the last look; `isCurrent` false where the cluster did not answer then. */
export type KeptProblems = { problems: IngressProblem[]; isCurrent: boolean }

const compress = promisify(gzip)
const decompress = promisify(gunzip)

export async function keptProblems(
  db: Db,
  { id, organizationId }: Pick<Cluster, 'id' | 'organizationId'>,
): Promise<KeptProblems & { asOf: Date | null }> {
  const [row] = await db
    .select({ asOf: clusterLists.asOf, content: clusterLists.content })
    .from(clusterLists)
    .where(
      and(
        eq(clusterLists.organizationId, organizationId),
        eq(clusterLists.clusterId, id),
        eq(clusterLists.key, key),
      ),
    )
  return row
    ? { asOf: row.asOf, ...(await opened(row.content)) }
    : { asOf: null, problems: [], isCurrent: false }
}

export async function keepProblems(
  db: Db,
  { id, organizationId }: Cluster,
  kept: KeptProblems,
  asOf: Date,
): Promise<void> {
  const content = await compress(JSON.stringify(kept))
  await db
    .insert(clusterLists)
    .values({ clusterId: id, organizationId, key, asOf, content })
    .onConflictDoUpdate({
      target: [clusterLists.organizationId, clusterLists.clusterId, clusterLists.key],
      set: { asOf, content },
    })
}

/** Of every running cluster of the organization. */
export async function allKeptProblems(db: Db, organizationId: number) {
  const rows = await db
    .select({
      id: clusters.id,
      title: clusters.title,
      asOf: clusterLists.asOf,
      content: clusterLists.content,
    })
    .from(clusterLists)
    .innerJoin(clusters, eq(clusters.id, clusterLists.clusterId))
    .where(
      and(
        eq(clusterLists.organizationId, organizationId),
        eq(clusterLists.key, key),
        eq(clusters.status, 'RUNNING'),
        isNull(clusters.deletedAt),
      ),
    )
    .limit(200)
  return Promise.all(rows.map(async ({ content, ...row }) => ({ ...row, ...(await opened(content)) })))
}

async function opened(content: Buffer): Promise<KeptProblems> {
  // Written above, in this form.
  return JSON.parse((await decompress(content)).toString()) as KeptProblems
}
