import { act, serverItself } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import { type DueSecret, listPurgeable } from './due-store.ts'
import { secretTarget, type SecretParts } from './parts.ts'
import { findSecret, lockSecret, replaceGrants, updateSecret } from './store.ts'
import { deleteShares } from './share-store.ts'
import { removeSyncs } from './sync/store.ts'
import { destroyVersions } from './version-store.ts'

/** Destroys the values of secrets whose time to be restored is over; their names are free from then on. */
export function createPurge({ database }: Pick<SecretParts, 'database'>) {
  return async function purge(now: Date): Promise<void> {
    for (;;) {
      const due = await database.asSystem('destroy deleted secrets', (db) => listPurgeable(db, now))
      if (due.length === 0) return
      for (const secret of due) {
        await database.withTenant(secret.organizationId, (db) => purgeOne(db, secret, now))
      }
    }
  }
}

async function purgeOne(db: Db, { organizationId, id }: DueSecret, now: Date): Promise<void> {
  await lockSecret(db, organizationId, id)
  const row = await findSecret(db, organizationId, id)
  // Restored meanwhile, or destroyed by another server.
  if (row?.status !== 'pending_deletion' || row.purgeAt === null || row.purgeAt > now) return
  await destroyVersions(db, organizationId, id)
  await replaceGrants(db, organizationId, id, [])
  await deleteShares(db, organizationId, id)
  await removeSyncs(db, organizationId, id, now)
  await updateSecret(db, organizationId, id, {
    status: 'deleted',
    statusBefore: null,
    purgeAt: null,
    valueHash: '',
    facts: { fields: {}, certificate: null, contexts: [] },
    rotation: null,
    nextRotationAt: null,
    rotationFailure: null,
    rotationFailedAt: null,
    rotationRetryAt: null,
  })
  const diff = { versions: row.lastVersion }
  await act(db, serverItself(row.organizationId), {
    action: 'secret.purge',
    class: 'delete',
    diff,
    target: secretTarget(row),
  })
}
