import { backupCan, backupRefusal, type BackupTrigger } from '@bey/contract'

import { act, type OtherActor, type Who } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import type { DatabaseParts } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { type DatabaseRow, lockDatabase } from '../store.ts'
import { findBackup, hasBackupUnderWay, lockBackup, moveBackup, updateBackup } from './backup-rows.ts'
import type { RemoveLeftovers } from './leftovers.ts'
import { findLatestSwap } from './swap-rows.ts'
import { findArchive } from './window.ts'
import { findPolicy } from './policy.ts'
import { existingBackup, presentBackup } from './present-backup.ts'
import { known } from './service.ts'

type Names = `databases.backups.${'create' | 'delete'}`

/** Starts backups, and deletes them. */
export function backupActs(parts: DatabaseParts & { removeLeftovers: RemoveLeftovers }): Handlers<Names> {
  const { database } = parts
  return {
    'databases.backups.create': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const row = existing(await lockDatabase(db, organizationId, id))
        const backupId = await startBackup(parts, db, row, 'manual', caller)
        return keepReply(
          db,
          presentBackup(existingBackup(await findBackup(db, organizationId, backupId), id)),
        )
      }),

    'databases.backups.delete': async ({ caller, params }) => {
      const { organizationId } = caller
      const deleted = await database.withTenant(organizationId, async (db) => {
        const owner = await known(db, organizationId, params.id)
        const row = existingBackup(await lockBackup(db, organizationId, params.backupId), params.id)
        const refusal = backupCan.delete(row)
        if (refusal !== undefined) throw new AppError('conflict', `The backup was left alone: ${refusal}`)
        await moveBackup(db, row, [row.status], 'deleted')
        await act(db, caller, {
          action: 'database.backup_delete',
          class: 'delete',
          target: databaseTarget(owner),
          diff: { backup: row.id, consistentAt: row.consistentAt?.toISOString() ?? null },
          event: { type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId: owner.id } },
        })
        return presentBackup({ ...row, status: 'deleted' })
      })
      await parts.removeLeftovers(organizationId, params.id)
      return deleted
    },
  }
}

/**
 * Queues a base backup in the caller's transaction, with the database locked; answers its id. Throws AppError `conflict`
 * where its state, or a backup under way, does not allow it.
 */
export async function startBackup(
  { workflows }: { workflows: Pick<DatabaseParts['workflows'], 'startRun'> },
  db: Db,
  row: DatabaseRow,
  trigger: BackupTrigger,
  who: Who | OtherActor,
  backupId = uuidv7(),
): Promise<string> {
  const { organizationId, id, name, machineId } = row
  const refusal = await refusalOf(db, row)
  if (refusal !== undefined) throw new AppError('conflict', `"${name}" was not backed up: ${refusal}`)
  const { targetId } = await findPolicy(db, organizationId, id)
  const createdBy = 'user' in who ? who.user.id : null
  await db
    .insert(databaseBackups)
    .values({ id: backupId, organizationId, databaseId: id, kind: 'full', trigger, targetId, createdBy })
  const run = await workflows.startRun(db, {
    organizationId,
    workflowKey: 'database.backup',
    subject: { type: 'database', id },
    input: { databaseId: id, name, backupId, ...(machineId !== null && { machineId }) },
    trigger: createdBy === null ? 'system' : 'manual',
    createdBy,
  })
  await updateBackup(db, organizationId, backupId, { runId: run.runId })
  await act(db, who, {
    action: 'database.backup',
    class: 'execute',
    target: databaseTarget(row),
    runId: run.runId,
    diff: { backup: backupId, trigger },
    event: { type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId: id } },
  })
  return backupId
}

async function refusalOf(db: Db, row: DatabaseRow): Promise<string | undefined> {
  const { organizationId, id } = row
  const refusal = backupRefusal(row)
  if (refusal !== undefined) return refusal
  if (await hasBackupUnderWay(db, organizationId, id)) {
    return 'A backup of it is being made already. Wait until it is done, or cancel its run.'
  }
  const swap = await findLatestSwap(db, organizationId, id)
  if (swap?.status === 'completed' && swap.oldDatabaseId === id) {
    return `It is kept read only since "${swap.name}" was swapped, and has its backups from before.`
  }
  const archive = await findArchive(db, organizationId, id)
  return archive !== undefined && !archive.isOn ? (archive.problem ?? undefined) : undefined
}
