import { serverItself } from '../../../platform/act.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import { and, eq } from 'drizzle-orm'

import type { DatabaseParts } from '../parts.ts'
import { type DatabaseRow, lockDatabase } from '../store.ts'
import { startBackup } from './backup-acts.ts'
import { findRestoreInto } from './restore-rows.ts'
import { findArchive } from './window.ts'

/** Backs up a database that was restored and has no backup of its own yet: those of its source lead to other moments. */
export async function backUpRestored(
  parts: Pick<DatabaseParts, 'database' | 'workflows'>,
  { organizationId, id, status }: DatabaseRow,
): Promise<void> {
  if (status !== 'available') return
  const isNeeded = (db: Parameters<typeof lockDatabase>[0]) =>
    findRestoreInto(db, organizationId, id).then(async (restore) => {
      if (restore?.status !== 'completed') return false
      const own = and(eq(databaseBackups.organizationId, organizationId), eq(databaseBackups.databaseId, id))
      if ((await db.$count(databaseBackups, own)) > 0) return false
      return (await findArchive(db, organizationId, id))?.isOn === true
    })
  if (!(await parts.database.readTenant(organizationId, isNeeded))) return
  await parts.database.withTenant(organizationId, async (db) => {
    const row = await lockDatabase(db, organizationId, id)
    if (row?.status !== 'available' || !(await isNeeded(db))) return
    await startBackup(parts, db, row, 'after_restore', serverItself(organizationId))
  })
}
