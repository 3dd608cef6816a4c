import { type Health, healthy, partResourceKinds } from '@bey/contract'

import type { Database } from '../../../platform/db/database.ts'
import { type InventorySource, rowSource } from '../../../platform/inventory.ts'
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
      health: healthOf(row),
      href: '/databases/backup-targets',
    })),
  )
}

/** As the last check found it; null before the first. */
function healthOf({ checkedAt, checkProblem }: { checkedAt: Date | null; checkProblem: string | null }) {
  if (checkedAt === null) return null
  if (checkProblem === null) return healthy
  return {
    state: 'failing',
    reason: 'BackupTargetRefused',
    detail: checkProblem,
    since: checkedAt.toISOString(),
    object: null,
  } satisfies Health
}
