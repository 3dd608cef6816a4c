import { act, type Who } from '../../../platform/act.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import type { DatabaseParts } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { type DatabaseRow, findDatabase, lockDatabase } from '../store.ts'
import { findBackup, listBackups, lockBackup, summarizeBackups, updateBackup } from './backup-rows.ts'
import { changePolicy, requireSchedules } from './change-policy.ts'
import { findPolicy, presentPolicy } from './policy.ts'
import { existingBackup, presentBackup } from './present-backup.ts'
import { presentRestore } from './present-restore.ts'
import { listRestores } from './restore-rows.ts'
import { requireDrillRights } from './start-drill.ts'
import { readWindow } from './window.ts'

type Names = `databases.${
  | 'backups.list'
  | 'backups.get'
  | 'backups.lock'
  | 'backups.unlock'
  | 'window'
  | 'backupPolicy.get'
  | 'backupPolicy.update'
  | 'restores.list'}`

/** What is read and decided about backups without their files. Backups outlive their database, so a deleted one answers too. */
export function backupHandlers({
  database,
  providers,
  clock,
}: {
  database: Database
  providers: DatabaseParts['providers']
  clock: Pick<Clock, 'now'>
}): Handlers<Names> {
  const setLocked =
    (isLocked: boolean) =>
    ({ caller, params }: { caller: Who; params: { id: string; backupId: string } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const owner = await known(db, organizationId, params.id)
        const row = existingBackup(await lockBackup(db, organizationId, params.backupId), params.id)
        if (row.status === 'deleted' || row.status === 'expired') {
          throw new AppError('conflict', 'The backup is deleted, so there is nothing to keep.')
        }
        if (row.isLocked !== isLocked) {
          await updateBackup(db, organizationId, row.id, { isLocked })
          await act(db, caller, {
            action: isLocked ? 'database.backup_lock' : 'database.backup_unlock',
            class: 'update',
            target: databaseTarget(owner),
            diff: { backup: row.id },
            event: { type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId: owner.id } },
          })
        }
        return keepReply(db, presentBackup({ ...row, isLocked }))
      })

  return {
    'databases.backups.list': ({ caller: { organizationId }, params: { id }, query }) =>
      database.readTenant(organizationId, async (db) => {
        await known(db, organizationId, id)
        const { rows, total } = await listBackups(db, organizationId, id, query)
        return {
          backups: rows.map(presentBackup),
          total,
          page: query.page,
          limit: query.limit,
          summary: await summarizeBackups(db, organizationId, id),
        }
      }),

    'databases.backups.get': ({ caller: { organizationId }, params: { id, backupId } }) =>
      database.readTenant(organizationId, async (db) =>
        presentBackup(existingBackup(await findBackup(db, organizationId, backupId), id)),
      ),

    'databases.backups.lock': setLocked(true),
    'databases.backups.unlock': setLocked(false),

    'databases.window': ({ caller: { organizationId }, params: { id } }) =>
      database.readTenant(organizationId, async (db) => {
        await known(db, organizationId, id)
        return readWindow(db, organizationId, id, clock.now())
      }),

    'databases.backupPolicy.get': ({ caller: { organizationId }, params: { id } }) =>
      database.readTenant(organizationId, async (db) => {
        await known(db, organizationId, id)
        return presentPolicy(await findPolicy(db, organizationId, id))
      }),

    'databases.backupPolicy.update': async ({ caller, params: { id }, body }) => {
      const { organizationId } = caller
      const { expectedVersion, ...wanted } = body
      requireSchedules(wanted)
      const found = existing(
        await database.readTenant(organizationId, (db) => findDatabase(db, organizationId, id)),
      )
      // On a cluster its drills run in the name of whoever set them.
      if (wanted.drillSchedule !== null) await requireDrillRights({ providers }, found, caller)
      return database.withTenant(organizationId, async (db) => {
        const owner = existing(await lockDatabase(db, organizationId, id))
        await changePolicy(db, owner, wanted, { caller, now: clock.now(), expectedVersion })
        return presentPolicy(await findPolicy(db, organizationId, id))
      })
    },

    'databases.restores.list': ({ caller: { organizationId }, params: { id }, query }) =>
      database.readTenant(organizationId, async (db) => {
        await known(db, organizationId, id)
        const { rows, total } = await listRestores(db, organizationId, id, query)
        return { restores: rows.map(presentRestore), total, page: query.page, limit: query.limit }
      }),
  }
}

/** @public A database of the organization, deleted or not; throws AppError `not_found`. */
export async function known(db: Db, organizationId: number, id: string): Promise<DatabaseRow> {
  const row = await findDatabase(db, organizationId, id)
  if (row === undefined) throw new AppError('not_found', 'There is no such database in this organization.')
  return row
}
