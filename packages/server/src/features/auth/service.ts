import type { SignInReply, User } from '@bey/contract'
import type { Config } from '../../config.ts'
import { audit, type AuditEntry } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Passwords } from '../../platform/crypto/password.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import { findLogin } from '../../platform/db/gateway.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller, PublicCaller } from '../../platform/http/handlers.ts'
import type { Entrance, Session } from './entrance.ts'
import { loadUser } from './load-user.ts'
import { beginSession } from './sessions.ts'
import { deleteSession, holdPasswordHash, insertUser, replacePasswordHash } from './store.ts'

export type AuthOptions = {
  database: Database
  passwords: Passwords
  clock: Clock
  /** Who may make an account, as it is set at this moment. */
  signup(): Promise<'open' | 'invite'>
  entrance: Pick<Entrance, 'admit'>
  /** The account that sees the developer bar, in lower case. */
  developerEmail: Config['developerEmail']
  /** Makes an organization and the user its owner, within the sign-up's transaction; answers its id. */
  foundOrganization(
    db: Db,
    owner: { id: number; display: string },
    name: string,
    caller: PublicCaller,
  ): Promise<number>
  /** Closes what is still open in the name of a session. */
  onSessionEnded(sessionId: string): void
}

type Account = { name: string; email: string; password: string }
/** Answers the organization that the new user belongs to. */
type Join = (db: Db, userId: number) => Promise<number>
type SignUp = { name: string; email: string; password: string; organizationName: string }

export type AuthService = {
  logIn(input: { email: string; password: string }, caller: PublicCaller): Promise<SignInReply>
  signUp(input: SignUp, caller: PublicCaller): Promise<Session>
  /**
   * Makes an account and lets `join` make its membership in the same transaction, also where sign-up is closed: anyone who
   * calls it has seen an invitation. Throws `email_taken`.
   */
  register(account: Account, caller: PublicCaller, join: Join): Promise<Session>
  logOut(caller: Caller): Promise<void>
  /** The caller, as their present session finds the organizations. */
  userOf(caller: Pick<Caller, 'user' | 'method'>): Promise<User>
}

export function createAuthService(options: AuthOptions): AuthService {
  const { database, passwords, clock, developerEmail } = options

  const load = (db: Db, userId: number) => loadUser(db, userId, developerEmail)

  async function logIn(
    input: { email: string; password: string },
    caller: PublicCaller,
  ): Promise<SignInReply> {
    const found = await findLogin(database.pool, input.email)
    const fits = await passwords.verify(found?.passwordHash, input.password)
    if (found === undefined || !fits) {
      // Written for unknown addresses too (to the server's own trail), so that the response time reveals nothing.
      await database.asSystem('note a failed log-in', (db) =>
        audit(db, failedEntry(caller, found, found ? input.email : 'unknown')),
      )
      throw new AppError('invalid_credentials', 'The email address or the password is wrong.')
    }
    const { userId } = found
    const known = found.passwordHash ?? ''
    const renewed = passwords.isOutdated(known) ? await passwords.hash(input.password) : undefined
    const reply = await database.asSystem('log in', async (db) => {
      const isCurrent = await (renewed === undefined
        ? holdPasswordHash(db, userId, known)
        : replacePasswordHash(db, userId, known, renewed))
      if (!isCurrent) return undefined
      return options.entrance.admit(db, { userId, method: 'password' }, caller)
    })
    // The password was changed while this one was checked, and the change has ended every session but its own.
    return reply ?? logIn(input, caller)
  }

  async function signUp(input: SignUp, caller: PublicCaller): Promise<Session> {
    if ((await options.signup()) === 'invite') {
      throw new AppError(
        'signup_closed',
        'This server takes new accounts by invitation only. Ask its operator for an invitation.',
      )
    }
    return register(input, caller, (db, userId) =>
      options.foundOrganization(db, { id: userId, display: input.email }, input.organizationName, caller),
    )
  }

  async function register(account: Account, caller: PublicCaller, join: Join): Promise<Session> {
    const passwordHash = await passwords.hash(account.password)
    const { email, name } = account
    try {
      return await database.asSystem('sign up', async (db) => {
        const userId = await insertUser(db, { email, name, passwordHash })
        const token = await beginSession(db, userId, caller, clock, 'password')
        const organizationId = await join(db, userId)
        const user = await loadUser(db, userId, developerEmail, 'password')
        await audit(db, {
          organizationId,
          actor: { type: 'user', id: userId, display: email },
          via: 'console',
          action: 'user.signup',
          class: 'auth',
          target: { type: 'user', id: userId, name: email },
          ...caller,
        })
        return { token, user }
      })
    } catch (error) {
      if (violatedConstraint(error) !== 'users_email_key') throw error
      throw new AppError(
        'email_taken',
        `An account with the email address ${email} exists. Log in, or use another address.`,
      )
    }
  }

  return {
    logIn,
    signUp,
    register,
    async logOut(caller) {
      const ended = await database.asSystem('log out', async (db) => {
        const sessionIds = await deleteSession(db, caller.sessionId)
        const user = await load(db, caller.user.id)
        await audit(db, {
          organizationId: user.activeOrganizationId ?? 0,
          actor: { type: 'user', id: caller.user.id, display: caller.user.email },
          via: 'console',
          action: 'session.end',
          class: 'auth',
          target: { type: 'session', id: caller.sessionId },
          ip: caller.ip,
          userAgent: caller.userAgent,
          requestId: caller.requestId,
        })
        return sessionIds
      })
      for (const sessionId of ended) options.onSessionEnded(sessionId)
    },
    userOf: ({ user, method }) =>
      database.withUser(user.id, (db) => loadUser(db, user.id, developerEmail, method)),
  }
}

function failedEntry(
  caller: PublicCaller,
  found: { userId: number; activeOrganizationId: number | null } | undefined,
  display: string,
): AuditEntry {
  return {
    organizationId: found?.activeOrganizationId ?? 0,
    actor: { type: 'user', id: found?.userId, display },
    via: 'console',
    action: 'session.begin',
    class: 'auth',
    outcome: 'failure',
    ip: caller.ip,
    userAgent: caller.userAgent,
    requestId: caller.requestId,
  }
}
