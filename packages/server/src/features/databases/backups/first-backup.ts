import type { BackupTrigger } from '@bey/contract'
import { and, eq } from 'drizzle-orm'

import { serverItself } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import type { DatabaseParts } from '../parts.ts'
import { type DatabaseRow, lockDatabase } from '../store.ts'
import { startBackup } from './backup-acts.ts'
import { findPolicy } from './policy.ts'
import { findRestoreInto } from './restore-rows.ts'
import { findArchive } from './window.ts'

/**
 * Makes the first backup of a database that has none of its own: of one that was restored, for the backups of its source
 * lead to other moments, and of one with a schedule, which would be without any until that comes.
 */
export async function makeFirstBackup(
  parts: Pick<DatabaseParts, 'database' | 'workflows'>,
  { organizationId, id, status }: DatabaseRow,
): Promise<void> {
  if (status !== 'available') return
  const found = await parts.database.readTenant(organizationId, (db) => neededBy(db, organizationId, id))
  if (found === undefined) return
  await parts.database.withTenant(organizationId, async (db) => {
    const row = await lockDatabase(db, organizationId, id)
    if (row?.status !== 'available') return
    const trigger = await neededBy(db, organizationId, id)
    if (trigger) await startBackup(parts, db, row, trigger, serverItself(organizationId))
  })
}

async function neededBy(db: Db, organizationId: number, id: string): Promise<BackupTrigger | undefined> {
  const isRestored = (await findRestoreInto(db, organizationId, id))?.status === 'completed'
  const isScheduled = (await findPolicy(db, organizationId, id)).schedule !== null
  if (!isRestored && !isScheduled) return undefined
  const own = and(eq(databaseBackups.organizationId, organizationId), eq(databaseBackups.databaseId, id))
  const [known] = await db.select({ id: databaseBackups.id }).from(databaseBackups).where(own).limit(1)
  if (known !== undefined) return undefined
  if ((await findArchive(db, organizationId, id))?.isOn !== true) return undefined
  return isRestored ? 'after_restore' : 'schedule'
}
