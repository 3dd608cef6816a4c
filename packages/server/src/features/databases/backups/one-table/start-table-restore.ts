import { databaseCan, type ParsedInput } from '@bey/contract'

import { act, type Member } from '../../../../platform/act.ts'
import { uuidv7 } from '../../../../platform/crypto/uuid.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { type DatabaseParts, startDatabaseRun } from '../../parts.ts'
import { databaseTarget } from '../../present.ts'
import type { DatabaseRow } from '../../store.ts'
import {
  findRestore,
  hasRestoreUnderWay,
  insertRestore,
  type RestoreRow,
  updateRestore,
} from '../restore-rows.ts'
import type { RestoreWish } from '../restore-source.ts'

type Body = ParsedInput<'databases.restore'>['body']

/**
 * Queues the restore of one table in the caller's transaction, with the database locked. Throws AppError `conflict` where the
 * database does not run, or another table of it is being restored.
 */
export async function startTableRestore(
  parts: Pick<DatabaseParts, 'workflows'>,
  db: Db,
  row: DatabaseRow,
  name: string,
  { schema = 'public', into, replace = false }: Pick<Body, 'schema' | 'into' | 'replace'>,
  { targetTime, backupId }: RestoreWish,
  caller: Member,
): Promise<RestoreRow> {
  const { organizationId, id: databaseId } = row
  const refusal = databaseCan.connect(row) ?? (await underWay(db, row))
  if (refusal !== undefined)
    throw new AppError('conflict', `No table of "${row.name}" was restored: ${refusal}`)
  const id = uuidv7()
  const restoredTable = {
    schema,
    name,
    wanted: into ?? null,
    replaces: replace,
    into: null,
    rows: null,
    xid: null,
  }
  const values = { id, organizationId, databaseId, backupId, targetTime, restoredTable } as const
  await insertRestore(db, { ...values, kind: 'table', createdBy: caller.user.id })
  const run = await startDatabaseRun(parts, db, row, 'database.restore_table', caller, { restoreId: id })
  await updateRestore(db, organizationId, id, { runId: run.runId })
  await act(db, caller, {
    action: 'database.restore_table',
    class: 'update',
    target: databaseTarget(row),
    runId: run.runId,
    diff: {
      table: `${schema}.${name}`,
      targetTime: targetTime?.toISOString() ?? null,
      backup: backupId,
      ...(into !== undefined && { into }),
      replace,
    },
    event: { type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId } },
  })
  const restore = await findRestore(db, organizationId, id)
  if (restore === undefined) throw new Error('The restore was not stored')
  return restore
}

async function underWay(db: Db, row: DatabaseRow): Promise<string | undefined> {
  return (await hasRestoreUnderWay(db, row, 'table'))
    ? 'Another one is being restored. Wait until that is done, or cancel its run.'
    : undefined
}
