import type { DataKeys } from '../../../platform/crypto/data-keys.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { BackupStoreProblem } from '../../../platform/backups/backup-store-problem.ts'
import type { BackupStore, OpenBackupStore } from '../backups/backup-store.ts'
import type { BackupPlaces, BucketAccess, ObjectKeys } from './backup-places.ts'
import { findTarget, type TargetRow } from './target-rows.ts'

export type StoreParts = { database: Database; dataKeys: DataKeys; places: BackupPlaces }

/** Names the secret access key of a target in its seal. */
export const targetContext = (id: string) => `backup-target:${id}`

/** Opens the stores of targets, encrypted with the key of the organization. One that did not change is opened once. */
export function createStoreOpener(parts: StoreParts): OpenBackupStore {
  const opened = new Map<string, { version: number; store: BackupStore }>()
  return async (organizationId, targetId) => {
    if (targetId === null) return parts.places.onMachine(organizationId, objectKeys(parts, organizationId))
    const found = await parts.database.readTenant(organizationId, async (db) => {
      const row = await findTarget(db, organizationId, targetId)
      return row && { row, access: await accessOf(parts, db, organizationId, row) }
    })
    if (found === undefined) {
      throw new BackupStoreProblem(
        'denied',
        'The backup target was deleted. Choose another one in the policy.',
      )
    }
    const { row, access } = found
    const before = opened.get(targetId)
    if (before?.version === row.version) return before.store
    const store = parts.places.inBucket(access, objectKeys(parts, organizationId))
    opened.set(targetId, { version: row.version, store })
    return store
  }
}

export async function accessOf(
  { dataKeys }: Pick<StoreParts, 'dataKeys'>,
  db: Db,
  organizationId: number,
  { id, endpoint, region, bucket, prefix, accessKeyId, secretSealed }: TargetRow,
): Promise<BucketAccess> {
  const secret = await dataKeys.unseal(db, organizationId, secretSealed, targetContext(id))
  return { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey: secret.toString() }
}

export function objectKeys(
  { database, dataKeys }: Pick<StoreParts, 'database' | 'dataKeys'>,
  organizationId: number,
): ObjectKeys {
  return {
    wrap: (key, context) =>
      database.withTenant(organizationId, (db) => dataKeys.seal(db, organizationId, key, context)),
    unwrap: (wrapped, context) =>
      database.withTenant(organizationId, (db) => dataKeys.unseal(db, organizationId, wrapped, context)),
  }
}
