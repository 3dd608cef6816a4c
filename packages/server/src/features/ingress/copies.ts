import { and, eq, ne } from 'drizzle-orm'

import type { Database } from '../../platform/db/database.ts'
import { secretSyncs } from '../../tables/secret-syncs.ts'
import { secrets } from '../../tables/secrets.ts'
import type { CopyOf } from './certificate-rows.ts'
import { fullName } from './cluster-objects.ts'

const maxCopies = 5_000

/** Which TLS Secrets of clusters are copies of secrets of the organization. */
export async function readCopies(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
): Promise<CopyOf> {
  const rows = await database.readTenant(organizationId, (db) =>
    db
      .select({
        clusterId: secretSyncs.clusterId,
        namespace: secretSyncs.namespace,
        name: secretSyncs.name,
        id: secrets.id,
        secret: secrets.name,
      })
      .from(secretSyncs)
      .innerJoin(
        secrets,
        and(eq(secrets.organizationId, secretSyncs.organizationId), eq(secrets.id, secretSyncs.secretId)),
      )
      .where(and(eq(secretSyncs.organizationId, organizationId), ne(secretSyncs.state, 'removing')))
      .limit(maxCopies),
  )
  const copies = new Map(
    rows.map((row) => [`${row.clusterId}/${fullName(row)}`, { id: row.id, name: row.secret }]),
  )
  return (clusterId, secret) => copies.get(`${clusterId}/${fullName(secret)}`) ?? null
}
