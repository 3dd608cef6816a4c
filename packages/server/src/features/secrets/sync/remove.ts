import { publish } from '../../../platform/live/publish.ts'
import type { SecretParts } from '../parts.ts'
import { findSecret } from '../store.ts'
import { ClusterFailure, openCluster } from '../../../platform/clusters/open-cluster.ts'
import type { ClusterDoor } from '../../kubernetes/connection/ports.ts'
import { isOwn } from './manifest.ts'
import { deleteSync, type SyncRow } from './store.ts'
import { recordIntent } from './trail.ts'
import { deleteSecret, readSecret, releaseSecret } from './write.ts'

/** Ends a copy: deletes or releases what Bey made in the cluster, and touches nothing else there. */
export async function removeCopy(
  { database, clusters }: SecretParts & { clusters: ClusterDoor },
  sync: SyncRow,
): Promise<void> {
  const { organizationId, clusterId, secretId, id } = sync
  const { removal } = sync
  const isThere = (await clusters.find(organizationId, clusterId)) !== undefined
  const diff = { secret: removal ?? 'leave' }
  const secret = await database.readTenant(organizationId, (db) => findSecret(db, organizationId, secretId))
  const act = { action: 'secret.sync.remove', class: 'delete', diff } as const
  const record = await recordIntent(database, sync, secret?.name ?? '', act)
  try {
    if (isThere) {
      const api = await openCluster(clusters, organizationId, clusterId)
      const live = await readSecret(api, sync)
      if (live && isOwn(live, sync)) {
        if (removal === 'delete') await deleteSecret(api, sync, live)
        else await releaseSecret(api, sync)
      }
    }
  } catch (error) {
    const words = error instanceof ClusterFailure ? error.message : 'A fault stopped it.'
    await database.withTenant(organizationId, (db) => record(db, 'failure', words))
    throw error
  }
  await database.withTenant(organizationId, async (db) => {
    await deleteSync(db, organizationId, id)
    await record(db, 'success')
    await publish(db, { organizationId, type: 'SECRETS_UPDATE', data: { secretId } })
  })
}
