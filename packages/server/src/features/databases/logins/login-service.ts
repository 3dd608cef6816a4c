import { randomBytes } from 'node:crypto'
import { loginLimits, loginRefusal, type ParsedInput } from '@bey/contract'

import { act } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { whyNotNow } from '../../../platform/keys/key-rights.ts'
import type { Member } from '../../../platform/act.ts'
import { openEmbedded } from '../open-connection.ts'
import { type DatabaseParts, placementOf } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { failureOf } from '../sql/open-session.ts'
import { type DatabaseRow, findDatabase, lockDatabase } from '../store.ts'
import { endLogins } from './end-logins.ts'
import {
  countOpenLogins,
  expireLogin,
  findLogin,
  insertLogin,
  listLogins,
  type LoginRow,
  presentLogin,
} from './login-rows.ts'
import { createLoginRole, loginName } from './login-roles.ts'

type Names = `databases.logins.${'list' | 'create' | 'end'}`
type Asked = ParsedInput<'databases.logins.create'>['body']
type Parts = DatabaseParts & { newPassword: () => string }

/** Users of databases for a person and a while. */
export function loginHandlers(parts: Parts): Handlers<Names> {
  const { database, providers, clock, newPassword } = parts

  const find = (organizationId: number, id: string) =>
    database.readTenant(organizationId, async (db) => existing(await findDatabase(db, organizationId, id)))

  /**
   * Makes the user in the server before the row is committed that knows of it: where one of the two fails there is neither,
   * and a user without a row, which a crash in between would leave, is removed by the first look of the next process.
   */
  function create(id: string, { mode, minutes, reason }: Asked, caller: Member, password: string) {
    const { organizationId, user } = caller
    return database.withTenant(organizationId, async (db) => {
      const row = existing(await lockDatabase(db, organizationId, id))
      if ((await countOpenLogins(db, organizationId, id)) >= loginLimits.perDatabase) {
        throw new AppError(
          'limit_reached',
          `"${row.name}" has ${loginLimits.perDatabase} logins, which is the most it can have. End one first.`,
        )
      }
      const loginId = uuidv7()
      const now = clock.now()
      const expiresAt = new Date(now.getTime() + minutes * 60_000)
      const username = loginName(randomBytes(5).toString('hex'))
      const common = { id: loginId, organizationId, databaseId: id, username, mode, reason, expiresAt }
      await insertLogin(db, { ...common, createdBy: user.id, createdAt: now })
      const login = made(await findLogin(db, organizationId, id, loginId))
      await makeRole(row, login, password)
      await act(db, caller, {
        action: 'database.login.create',
        class: 'execute',
        target: databaseTarget(row),
        diff: { username, mode, reason, expiresAt: expiresAt.toISOString() },
      })
      return keepReply(db, { login: presentLogin(login, now), password })
    })
  }

  async function makeRole(row: DatabaseRow, login: LoginRow, password: string): Promise<void> {
    const placement = placementOf(row)
    if (placement === null || !providers.embedded.isHere(placement)) {
      throw new AppError('database_unreachable', `The server of "${row.name}" runs on another machine.`)
    }
    try {
      const admin = await openEmbedded(providers.embedded, placement, row.databaseName)
      try {
        await createLoginRole(admin, login, row.username, password)
      } finally {
        await admin.end()
      }
    } catch (error) {
      throw failureOf(row.name, error)
    }
  }

  return {
    'databases.logins.list': async ({ caller: { organizationId }, params: { id } }) => {
      await find(organizationId, id)
      const rows = await database.readTenant(organizationId, (db) => listLogins(db, organizationId, id))
      return { logins: rows.map((row) => presentLogin(row, clock.now())) }
    },

    'databases.logins.create': async ({ caller, params: { id }, body }) => {
      if (body.mode === 'write') requireRight(caller, 'databases.execute')
      const before = await find(caller.organizationId, id)
      const refusal = loginRefusal(before)
      if (refusal !== undefined) throw new AppError('conflict', `"${before.name}": ${refusal}`)
      if (before.status !== 'available') {
        throw new AppError('conflict', `"${before.name}" is not available. Wait until its server answers.`)
      }
      return create(id, body, caller, newPassword())
    },

    'databases.logins.end': async ({ caller, params: { id, loginId } }) => {
      const { organizationId } = caller
      const row = await find(organizationId, id)
      const reply = await database.withTenant(organizationId, async (db) => {
        const login = await findLogin(db, organizationId, id, loginId)
        if (login === undefined) throw new AppError('not_found', 'There is no such login of this database.')
        if (login.createdBy !== caller.user.id) requireRight(caller, 'databases.endSessions')
        const now = clock.now()
        if (login.endedAt === null) {
          await expireLogin(db, organizationId, loginId, now)
          await act(db, caller, {
            action: 'database.login.end',
            class: 'execute',
            target: databaseTarget(row),
            diff: { username: login.username },
          })
        }
        const after = made(await findLogin(db, organizationId, id, loginId))
        return keepReply(db, presentLogin(after, now))
      })
      // Where its server does not answer, it is removed by the look that finds it again.
      if (reply.status === 'ending') await endLogins(parts, row).catch(() => undefined)
      return reply
    },
  }
}

function made(row: LoginRow | undefined): LoginRow {
  if (row === undefined) throw new Error('A login that was just stored is gone')
  return row
}

function requireRight({ role }: Member, permission: 'databases.execute' | 'databases.endSessions'): void {
  const reason = whyNotNow(role, permission)
  if (reason !== undefined) throw new AppError('forbidden', reason)
}
