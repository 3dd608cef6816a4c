import type { User } from '@bey/contract'
import type { Config } from '../../config.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Passwords } from '../../platform/crypto/password.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { findLogin } from '../../platform/db/gateway.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/handlers.ts'
import { presentUser } from './present.ts'
import { deleteOtherSessions, organizationsOf, renameUser, replacePasswordHash, userById } from './store.ts'

export type AccountOptions = {
  database: Database
  passwords: Passwords
  developerEmail: Config['developerEmail']
  /** Closes what is still open in the name of a session. */
  onSessionEnded(sessionId: string): void
}

/** What people change about their own account. */
export type AccountService = {
  rename(name: string, caller: Caller): Promise<User>
  /** Throws `invalid_credentials` unless the current password fits. Answers how many other sessions it ended. */
  changePassword(input: PasswordChange, caller: Caller): Promise<{ endedSessions: number }>
}

type PasswordChange = { currentPassword: string; newPassword: string }

const passwordIsWrong = () =>
  new AppError('invalid_credentials', 'The current password is wrong. Nothing was changed.')

export function createAccountService({
  database,
  passwords,
  developerEmail,
  onSessionEnded,
}: AccountOptions): AccountService {
  async function load(db: Db, userId: number): Promise<User> {
    return presentUser(await loadRow(db, userId), await organizationsOf(db, userId), developerEmail)
  }

  return {
    async rename(name, caller) {
      return database.asSystem('change the name of a user', async (db) => {
        const before = await loadRow(db, caller.user.id)
        const organizations = await organizationsOf(db, caller.user.id)
        if (before.name === name) return presentUser(before, organizations, developerEmail)
        await renameUser(db, caller.user.id, name)
        const user = presentUser(await loadRow(db, caller.user.id), organizations, developerEmail)
        await auditAccount(db, user, caller, { action: 'user.rename', diff: { name: [before.name, name] } })
        return user
      })
    },

    async changePassword({ currentPassword, newPassword }, caller) {
      const found = await findLogin(database.pool, caller.user.email)
      if (!(await passwords.verify(found?.passwordHash, currentPassword)) || !found?.passwordHash) {
        await database.asSystem('note a failed change of password', async (db) => {
          const user = await load(db, caller.user.id)
          await auditAccount(db, user, caller, { action: 'user.change_password', outcome: 'failure' })
        })
        throw passwordIsWrong()
      }
      if (currentPassword === newPassword) throw samePassword()
      const passwordHash = await passwords.hash(newPassword)
      const { passwordHash: known } = found
      const ended = await database.asSystem('change a password', async (db) => {
        // Somebody else may have changed it while this one was computed: what was checked must still hold.
        if (!(await replacePasswordHash(db, caller.user.id, known, passwordHash))) throw passwordIsWrong()
        const sessionIds = await deleteOtherSessions(db, caller.user.id, caller.sessionId)
        const user = await load(db, caller.user.id)
        const diff = { endedSessions: sessionIds.length }
        await auditAccount(db, user, caller, { action: 'user.change_password', diff })
        return sessionIds
      })
      for (const sessionId of ended) onSessionEnded(sessionId)
      return { endedSessions: ended.length }
    },
  }
}

function samePassword(): AppError {
  const message = 'Choose another password than the current one.'
  return new AppError('invalid_request', message, { errors: [{ path: 'newPassword', message }] })
}

async function loadRow(db: Db, userId: number) {
  const row = await userById(db, userId)
  if (row === undefined) throw new AppError('unauthenticated', 'This account does not exist any more.')
  return row
}

type AccountAct = {
  action: 'user.rename' | 'user.change_password'
  outcome?: 'failure'
  diff?: Record<string, unknown>
}

/** An account is seen in every organization of its user, so each has it in its trail; without one, the server's own. */
async function auditAccount(db: Db, user: User, caller: Caller, act: AccountAct): Promise<void> {
  const { ip, userAgent, requestId } = caller
  const ids = user.organizations.map(({ id }) => id)
  // In the order of their ids, so that two who write to the same trails never wait for each other.
  for (const organizationId of ids.length > 0 ? ids : [0]) {
    await audit(db, {
      organizationId,
      actor: { type: 'user', id: user.id, display: user.email },
      via: 'console',
      class: act.action === 'user.rename' ? 'update' : 'auth',
      target: { type: 'user', id: user.id, name: user.email },
      ...act,
      ip,
      userAgent,
      requestId,
    })
  }
}
