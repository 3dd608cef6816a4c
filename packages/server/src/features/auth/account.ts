import type { User } from '@bey/contract'
import type { Config } from '../../config.ts'
import type { Passwords } from '../../platform/crypto/password.ts'
import type { Database } from '../../platform/db/database.ts'
import { findLogin } from '../../platform/db/gateway.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/handlers.ts'
import { auditAccount } from './account-audit.ts'
import { loadUser } from './load-user.ts'
import { deleteOtherSessions, renameUser, replacePasswordHash } from './store.ts'
import { dropTicketsOf } from './tickets.ts'

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
  return {
    async rename(name, caller) {
      return database.asSystem('change the name of a user', async (db) => {
        const before = await loadUser(db, caller.user.id, developerEmail, caller.method)
        if (before.name === name) return before
        await renameUser(db, caller.user.id, name)
        const user = await loadUser(db, caller.user.id, developerEmail, caller.method)
        const diff = { name: [before.name, name] }
        await auditAccount(db, user, caller, { action: 'user.rename', class: 'update', diff })
        return user
      })
    },

    async changePassword({ currentPassword, newPassword }, caller) {
      const found = await findLogin(database.pool, caller.user.email)
      if (!(await passwords.verify(found?.passwordHash, currentPassword)) || !found?.passwordHash) {
        await database.asSystem('note a failed change of password', async (db) => {
          const user = await loadUser(db, caller.user.id, developerEmail)
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
        await dropTicketsOf(db, caller.user.id, ['password_reset', 'second_factor'])
        const user = await loadUser(db, caller.user.id, developerEmail)
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
