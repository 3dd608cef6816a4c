import { uuidv7 } from '../platform/crypto/uuid.ts'
import type { Db } from '../platform/db/database.ts'
import {
  clusterRanges,
  networkAttachments,
  networkPolicies,
  networks,
  securityGroups,
} from '../tables/networks.ts'

/** A network of an organization, with a row in each table that belongs to one. */
export async function insertNetworkRows(db: Db, organizationId: number, clusterId: number): Promise<void> {
  const networkId = uuidv7()
  await db
    .insert(networks)
    .values({ id: networkId, organizationId, name: 'one', cidr: '10.42.0.0/16', status: 'error' })
  await db.insert(networkAttachments).values({ id: uuidv7(), organizationId, networkId, clusterId })
  await db.insert(networkPolicies).values({
    id: uuidv7(),
    organizationId,
    networkId,
    clusterId,
    namespace: 'shop',
    name: 'bey-one',
    written: {},
    state: 'in_force',
  })
  await db.insert(securityGroups).values({
    id: uuidv7(),
    organizationId,
    networkId,
    name: 'one',
    filtersIn: true,
    filtersOut: false,
    rules: [],
    targets: [],
  })
  await db
    .insert(clusterRanges)
    .values({ clusterId, organizationId, pods: [], services: [], readAt: new Date() })
}
