import type { HandlerOutput } from '@bey/contract'
import { isDeepStrictEqual } from 'node:util'
import { act, type Member } from '../../platform/act.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import { AppError } from '../../platform/errors.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { exportedBoard } from './export-board.ts'
import { importedBoard } from './import-board.ts'
import { presentBoard, presentListed } from './present.ts'
import {
  deleteBoard,
  findBoard,
  findVersion,
  insertBoard,
  listBoards,
  listVersions,
  updateBoard,
} from './store.ts'
import { presentActor } from '../../platform/present-actor.ts'

type Names =
  `boards.${'list' | 'get' | 'create' | 'import' | 'export' | 'versions' | 'restore' | 'update' | 'delete'}`
type Draft = Pick<Board, 'name' | 'description' | 'visibility' | 'definition'>
type Board = HandlerOutput<'boards.get'>

/** Boards of an organization. Another organization's board, and a private one of somebody else, is `not_found`. */
export function boardHandlers(database: Pick<Database, 'withTenant' | 'readTenant'>): Handlers<Names> {
  async function create(db: Db, caller: Member, draft: Draft): Promise<Board> {
    const id = uuidv7()
    const { organizationId, user } = caller
    await insertBoard(db, { ...draft, id, organizationId, createdBy: user.id })
    await act(db, caller, { action: 'board.create', class: 'create', target: targetOf(id, draft.name) })
    return presentBoard(found(await findBoard(db, caller.organizationId, caller.user.id, id)))
  }

  async function change(db: Db, caller: Member, id: string, draft: Partial<Draft>): Promise<Board> {
    const { organizationId, user } = caller
    const before = found(await findBoard(db, organizationId, user.id, id))
    // A version is a change: the same again is none. The keys are those of a draft.
    const isSame = Object.entries(draft).every(([field, value]) =>
      isDeepStrictEqual(before[field as keyof Draft], value),
    )
    if (isSame) return presentBoard(before)
    await updateBoard(db, organizationId, user.id, id, draft)
    const after = found(await findBoard(db, organizationId, user.id, id))
    await act(db, caller, {
      action: 'board.update',
      class: 'update',
      target: targetOf(id, after.name),
      diff: {
        ...(before.name !== after.name && { name: [before.name, after.name] }),
        ...(before.description !== after.description && {
          description: [before.description, after.description],
        }),
        ...(before.visibility !== after.visibility && { visibility: [before.visibility, after.visibility] }),
        ...(!isDeepStrictEqual(before.definition, after.definition) && {
          panels: [before.definition.panels.length, after.definition.panels.length],
        }),
        version: [before.version, after.version],
      },
    })
    return presentBoard(after)
  }

  return {
    'boards.list': ({ caller, query }) =>
      database.readTenant(caller.organizationId, async (db) => {
        const { rows, ...total } = await listBoards(db, caller.organizationId, caller.user.id, query)
        return { boards: rows.map(presentListed), ...total, page: query.page, limit: query.limit }
      }),

    'boards.get': ({ caller, params }) =>
      database.readTenant(caller.organizationId, async (db) =>
        presentBoard(found(await findBoard(db, caller.organizationId, caller.user.id, params.id))),
      ),

    'boards.create': ({ caller, body }) =>
      orNameTaken(body.name, () =>
        database.withTenant(caller.organizationId, async (db) =>
          keepReply(db, await create(db, caller, body)),
        ),
      ),

    'boards.import': ({ caller, body: { source, visibility } }) => {
      const { notes, ...draft } = importedBoard(source)
      return orNameTaken(draft.name, () =>
        database.withTenant(caller.organizationId, async (db) =>
          keepReply(db, { board: await create(db, caller, { ...draft, visibility }), notes }),
        ),
      )
    },

    'boards.export': ({ caller, params, query }) =>
      database.readTenant(caller.organizationId, async (db) =>
        exportedBoard(
          found(await findBoard(db, caller.organizationId, caller.user.id, params.id)),
          query.format,
        ),
      ),

    'boards.versions': ({ caller, params: { id } }) =>
      database.readTenant(caller.organizationId, async (db) => {
        found(await findBoard(db, caller.organizationId, caller.user.id, id))
        const rows = await listVersions(db, caller.organizationId, id)
        return {
          versions: rows.map(({ version, name, panelCount, savedAt, ...by }) => ({
            version,
            name,
            panelCount,
            at: savedAt.toISOString(),
            by: presentActor(by.savedBy, by.savedByName, by.savedByEmail),
          })),
        }
      }),

    'boards.restore': ({ caller, params: { id }, body }) =>
      orNameTaken('', () =>
        database.withTenant(caller.organizationId, async (db) => {
          const { version } = found(
            await findBoard(db, caller.organizationId, caller.user.id, id, { isLocked: true }),
          )
          const kept = await findVersion(db, caller.organizationId, id, body.version)
          if (!kept) {
            throw new AppError(
              'not_found',
              `Version ${body.version} of this board is not kept. Its newest version is ${version}.`,
            )
          }
          return keepReply(db, await change(db, caller, id, kept))
        }),
      ),

    'boards.update': ({ caller, params: { id }, body: { version, ...draft } }) =>
      orNameTaken(draft.name ?? '', () =>
        database.withTenant(caller.organizationId, async (db) => {
          const row = found(
            await findBoard(db, caller.organizationId, caller.user.id, id, { isLocked: true }),
          )
          if (version !== undefined && version !== row.version) {
            throw new AppError(
              'conflict',
              `${row.updatedByName ?? 'Somebody who has left'} saved version ${row.version} of "${row.name}" while you changed version ${version}. Load it and repeat your change, or save yours as a copy.`,
            )
          }
          if (draft.visibility !== undefined && draft.visibility !== row.visibility) {
            requireOwner(caller, row.createdBy)
          }
          return change(db, caller, id, draft)
        }),
      ),

    'boards.delete': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const row = found(await findBoard(db, caller.organizationId, caller.user.id, id, { isLocked: true }))
        await deleteBoard(db, caller.organizationId, id)
        await act(db, caller, { action: 'board.delete', class: 'delete', target: targetOf(id, row.name) })
        return null
      }),
  }
}

export function found<T>(row: T | undefined): T {
  if (row !== undefined) return row
  throw new AppError('not_found', 'There is no such board in this organization.')
}

/** A board that becomes private is lost to everybody but its creator. */
function requireOwner(caller: Member, createdBy: number | null): void {
  if (createdBy === caller.user.id) return
  throw new AppError('forbidden', 'Whoever created a board decides who sees it. Copy it to have your own.')
}

const targetOf = (id: string, name: string) => ({ type: 'board', id, name }) as const

async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint !== 'boards_name_key' && constraint !== 'boards_private_name_key') throw error
    const which = name === '' ? 'of this name' : `named "${name}"`
    throw new AppError('name_taken', `A board ${which} exists already. Choose another name.`, {
      cause: error,
    })
  }
}
