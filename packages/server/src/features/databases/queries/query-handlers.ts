import { queryLimits } from '@bey/contract'

import { act } from '../../../platform/act.ts'
import { withoutPasswords } from '../../../platform/audit/audited-statement.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { whyNotNow } from '../../../platform/keys/key-rights.ts'
import type { DatabaseParts } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { findDatabase, lockDatabase } from '../store.ts'
import {
  countSaved,
  deleteSaved,
  findSaved,
  insertSaved,
  listSaved,
  presentSaved,
  updateSaved,
} from './saved-query-rows.ts'
import { listHistory } from './sql-history.ts'

type Names = 'databases.sqlHistory' | `databases.savedQueries.${'list' | 'create' | 'update' | 'delete'}`

/** Statements that somebody executed, and those that were saved under a name. */
export function queryHandlers({
  database,
  clock,
}: Pick<DatabaseParts, 'database' | 'clock'>): Handlers<Names> {
  return {
    'databases.sqlHistory': ({ caller, params: { id }, query }) =>
      database.readTenant(caller.organizationId, async (db) => {
        existing(await findDatabase(db, caller.organizationId, id))
        return listHistory(db, caller, id, query)
      }),

    'databases.savedQueries.list': ({ caller, params: { id } }) =>
      database.readTenant(caller.organizationId, async (db) => {
        existing(await findDatabase(db, caller.organizationId, id))
        return { queries: (await listSaved(db, caller, id)).map((row) => presentSaved(row, caller)) }
      }),

    'databases.savedQueries.create': ({ caller, params: { id: databaseId }, body }) => {
      requireNoPassword(body.statement)
      return orNameTaken(body.name, () =>
        database.withTenant(caller.organizationId, async (db) => {
          const { organizationId, user } = caller
          const row = existing(await lockDatabase(db, organizationId, databaseId))
          if ((await countSaved(db, organizationId, databaseId)) >= queryLimits.perDatabase) {
            throw new AppError(
              'limit_reached',
              `"${row.name}" has ${queryLimits.perDatabase} saved queries, which is the most it can have. Delete one first.`,
            )
          }
          const id = uuidv7()
          const at = clock.now()
          const by = { createdBy: user.id, createdAt: at, updatedAt: at }
          await insertSaved(db, { ...body, ...by, id, organizationId, databaseId })
          await act(db, caller, {
            action: 'database.query.save',
            class: 'create',
            target: databaseTarget(row),
            diff: { name: body.name, isShared: body.isShared },
          })
          return keepReply(db, presentSaved(required(await findSaved(db, caller, databaseId, id)), caller))
        }),
      )
    },

    'databases.savedQueries.update': ({ caller, params: { id, queryId }, body }) => {
      if (body.statement !== undefined) requireNoPassword(body.statement)
      return orNameTaken(body.name ?? '', () =>
        database.withTenant(caller.organizationId, async (db) => {
          const { organizationId } = caller
          const row = existing(await findDatabase(db, organizationId, id))
          const before = required(await findSaved(db, caller, id, queryId))
          if (before.createdBy !== caller.user.id) {
            throw new AppError(
              'forbidden',
              `"${before.name}" can be changed only by who saved it. Save your own.`,
            )
          }
          const { name = before.name, statement = before.statement, isShared = before.isShared } = body
          await updateSaved(db, organizationId, queryId, {
            name,
            statement,
            isShared,
            updatedAt: clock.now(),
          })
          await act(db, caller, {
            action: 'database.query.update',
            class: 'update',
            target: databaseTarget(row),
            diff: { name, isShared },
          })
          return presentSaved(required(await findSaved(db, caller, id, queryId)), caller)
        }),
      )
    },

    'databases.savedQueries.delete': ({ caller, params: { id, queryId } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const row = existing(await findDatabase(db, organizationId, id))
        const saved = required(await findSaved(db, caller, id, queryId))
        if (saved.createdBy !== caller.user.id) {
          const refusal = whyNotNow(caller.role, 'databases.manage')
          if (refusal !== undefined) throw new AppError('forbidden', refusal)
        }
        await deleteSaved(db, organizationId, queryId)
        await act(db, caller, {
          action: 'database.query.delete',
          class: 'delete',
          target: databaseTarget(row),
          diff: { name: saved.name },
        })
        return { message: `"${saved.name}" was deleted.` }
      }),
  }
}

function required<T>(row: T | undefined): T {
  if (row !== undefined) return row
  throw new AppError('not_found', 'There is no such saved query of this database that you can see.')
}

/** What is saved is read by others, or long after it was written. */
function requireNoPassword(statement: string): void {
  if (withoutPasswords(statement) === statement) return
  throw new AppError(
    'invalid_request',
    'The statement sets a password, which is not saved. Leave it out, and enter it when you run the statement.',
  )
}

async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'database_saved_queries_name_key') throw error
    throw new AppError('name_taken', `You have a saved query named "${name}" already. Choose another name.`, {
      cause: error,
    })
  }
}
