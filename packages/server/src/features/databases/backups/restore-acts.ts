import { backedUpByOperator, notOurServer, recoverableWindow } from '@bey/contract'

import { act, type Who } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { insertNewDatabase, orNameTaken, requireRoomOnMachine } from '../new-database.ts'
import { type DatabaseParts, startDatabaseRun } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { type DatabaseRow, findDatabase, lockDatabase } from '../store.ts'
import { startTableRestore } from './one-table/start-table-restore.ts'
import { presentRestore } from './present-restore.ts'
import { findRestore, insertRestore, updateRestore } from './restore-rows.ts'
import { chooseBackup, type RestoreWish } from './restore-source.ts'
import { known } from './service.ts'
import { findRecoverable } from './window.ts'

type Parts = DatabaseParts & { newPassword: () => string }

/** Makes new databases of backups, and restores single tables. A deleted database can be restored as long as its backups are kept. */
export function restoreActs(parts: Parts): Handlers<'databases.restore'> {
  const { database, providers, credentials } = parts
  return {
    'databases.restore': async ({ caller, params: { id }, body }) => {
      const { organizationId } = caller
      const { name, table, targetTime, backupId = null } = body
      const { source, wish } = await database.readTenant(organizationId, async (db) => {
        const row = await known(db, organizationId, id)
        const given = { targetTime: targetTime === undefined ? null : new Date(targetTime), backupId }
        return { source: row, wish: await requireReachable(db, row, given, parts.clock.now()) }
      })
      if (table !== undefined) {
        await requireRoomOnMachine(providers, source.plan ?? 'small')
        return database.withTenant(organizationId, async (db) => {
          const row = existing(await lockDatabase(db, organizationId, id))
          return keepReply(
            db,
            presentRestore(await startTableRestore(parts, db, row, table, body, wish, caller)),
          )
        })
      }
      if (name === undefined) throw new Error('The body names neither a database nor a table')
      const plan = body.plan ?? source.plan ?? 'small'
      await requireRoomOnMachine(providers, plan)
      return orNameTaken(name, () =>
        database.withTenant(organizationId, async (db) => {
          const values = {
            name,
            description: `Restored from ${source.name}.`,
            plan,
            provider: 'embedded',
            status: 'pending',
            // They are in the files.
            databaseName: source.databaseName,
            username: source.username,
            tls: 'disable',
          } as const
          const newId = await insertNewDatabase(credentials, db, values, parts.newPassword(), caller)
          const restoreId = await insert(db, caller, source, newId, wish)
          const row = existing(await findDatabase(db, organizationId, newId))
          const run = await startDatabaseRun(parts, db, row, 'database.restore', caller)
          await updateRestore(db, organizationId, restoreId, { runId: run.runId })
          await act(db, caller, {
            action: 'database.restore',
            class: 'create',
            diff: { from: source.name, targetTime: wish.targetTime?.toISOString() ?? null, backup: backupId },
            target: databaseTarget(row),
            runId: run.runId,
          })
          const restore = await findRestore(db, organizationId, restoreId)
          if (restore === undefined) throw new Error('The restore was not stored')
          return keepReply(db, presentRestore(restore))
        }),
      )
    },
  }
}

async function insert(
  db: Db,
  { organizationId, user }: Who,
  source: DatabaseRow,
  newDatabaseId: string,
  { targetTime, backupId }: RestoreWish,
): Promise<string> {
  const id = uuidv7()
  const values = { kind: 'restore', databaseId: source.id, newDatabaseId, backupId, targetTime } as const
  await insertRestore(db, { ...values, id, organizationId, createdBy: user.id })
  return id
}

/**
 * The moment or backup that is restored. Throws AppError `conflict` where nothing leads to it. What a running server has not
 * archived yet is archived by the run, so the window of such a one ends now.
 */
async function requireReachable(
  db: Db,
  row: DatabaseRow,
  { targetTime, backupId }: RestoreWish,
  now: Date,
): Promise<RestoreWish> {
  const { organizationId, id, name } = row
  const refuse = (reason: string): never => {
    throw new AppError('conflict', `"${name}" was not restored: ${reason}`)
  }
  if (row.provider === 'external') refuse(notOurServer)
  if (row.provider === 'cnpg') refuse(backedUpByOperator)
  if (targetTime !== null && targetTime > now) refuse('The moment is in the future.')
  const { backups, wal } = await findRecoverable(db, organizationId, id)
  const lastMs = recoverableWindow(backups, wal).ranges.at(-1)?.toMs
  const endsNow = row.status === 'available' && lastMs !== undefined
  const latest = endsNow || lastMs === undefined ? now : new Date(lastMs)
  const wanted = backupId === null ? (targetTime ?? latest) : null
  const stored = wanted !== null && endsNow ? new Date(Math.min(wanted.getTime(), lastMs)) : wanted
  const { refusal } = await chooseBackup(db, organizationId, id, { targetTime: stored, backupId })
  if (refusal !== undefined) refuse(refusal)
  return { targetTime: wanted, backupId }
}
