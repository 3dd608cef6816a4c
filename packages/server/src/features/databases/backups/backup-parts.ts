import type { Db } from '../../../platform/db/database.ts'
import { publish } from '../../../platform/live/publish.ts'
import type { DatabaseParts } from '../parts.ts'
import type { Archiver } from './archiver.ts'
import type { OpenBackupStore } from './backup-store.ts'

/** What the functions of backups work with. */
export type BackupParts = Omit<DatabaseParts, 'workflows'> & {
  openStore: OpenBackupStore
  archiver: Archiver
}

/** Tells pages that the backups of a database changed. */
export function announceBackup(db: Db, organizationId: number, databaseId: string): Promise<unknown> {
  return publish(db, { organizationId, type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId } })
}
