import { partResourceKinds } from '@bey/contract'

import type { Database } from '../../../platform/db/database.ts'
import { healthOfTry, type InventorySource, rowSource } from '../../../platform/inventory.ts'
import { listTargets } from './target-rows.ts'

/** Backup targets for the inventory; the machine of Bey is none of them. */
export function targetResources(database: Pick<Database, 'readTenant'>): InventorySource {
  return rowSource(database, partResourceKinds.backupTarget, async (db, { organizationId }) =>
    (await listTargets(db, organizationId)).map((row) => ({
      id: row.id,
      name: row.name,
      createdBy: row.createdBy,
      createdByName: row.createdByName,
      createdAt: row.createdAt,
      health: healthOfTry(row.checkedAt, row.checkProblem, 'BackupTargetRefused'),
      href: '/databases/backup-targets',
    })),
  )
}
