import type { SignInReply, User } from '@bey/contract'
import type { Config } from '../../config.ts'
import { act, type Person } from '../../platform/act.ts'
import { serverTrail } from '../../platform/audit/refusals.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Passwords } from '../../platform/crypto/password.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import { findLogin } from '../../platform/db/gateway.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller, PublicCaller } from '../../platform/http/handlers.ts'
import type { SignIn, Session } from './sign-in.ts'
import { nobodyKnown } from './account-audit.ts'
import { loadUser } from './load-user.ts'
import { beginSession } from './sessions.ts'
import {
  deleteSession,
  holdPasswordHash,
  insertUser,
  lookalikeOf,
  replacePasswordHash,
  userById,
} from './store.ts'

export type AuthOptions = {
  database: Database
  passwords: Passwords
  clock: Clock
  /** Who may make an account, as it is set at this moment. */
  signup(): Promise<'open' | 'invite'>
  signIn: Pick<SignIn, 'begin'>
  /** The account that sees the developer bar, in lower case. */
  developerEmail: Config['developerEmail']
  /** Makes an organization and the user its owner, within the sign-up's transaction; answers its id. */
  foundOrganization(db: Db, owner: Person, name: string, caller: PublicCaller): Promise<number>
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
   * calls it has seen an invitation. Throws `email_taken`, also for an address that merely looks like a taken one.
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
      await database.asSystem('note a failed log-in', (db) => recordFailedLogin(db, caller, found))
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
      return options.signIn.begin(db, { userId, method: 'password' }, caller)
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
      options.foundOrganization(
        db,
        { id: userId, name: input.name, email: input.email },
        input.organizationName,
        caller,
      ),
    )
  }

  async function register(account: Account, caller: PublicCaller, join: Join): Promise<Session> {
    const passwordHash = await passwords.hash(account.password)
    const { email, name } = account
    try {
      return await database.asSystem('sign up', async (db) => {
        if ((await lookalikeOf(db, email)) !== undefined) throw looksTaken(email)
        const userId = await insertUser(db, { email, name, passwordHash })
        const token = await beginSession(db, userId, caller, clock, 'password')
        const organizationId = await join(db, userId)
        const user = await loadUser(db, userId, developerEmail, 'password')
        const who = { ...caller, organizationId, user, via: 'session' } as const
        const target = { type: 'user', id: userId, name: email }
        await act(db, who, { action: 'user.signup', class: 'auth', target })
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
        const who = { ...caller, organizationId: user.activeOrganizationId ?? serverTrail }
        const target = { type: 'session', id: caller.sessionId }
        await act(db, who, { action: 'session.end', class: 'auth', target })
        return sessionIds
      })
      for (const sessionId of ended) options.onSessionEnded(sessionId)
    },
    userOf: ({ user, method }) =>
      database.withUser(user.id, (db) => loadUser(db, user.id, developerEmail, method)),
  }
}

function looksTaken(email: string): AppError {
  return new AppError(
    'email_taken',
    `An account exists whose email address looks like ${email} but is written with other characters. Use another address.`,
  )
}

/** Asks for the account whether there is one or not, so that both take the same time. */
async function recordFailedLogin(
  db: Db,
  caller: PublicCaller,
  found: { userId: number; activeOrganizationId: number | null } | undefined,
): Promise<void> {
  const user = await userById(db, found?.userId ?? 0)
  const organizationId = found?.activeOrganizationId ?? serverTrail
  const failed = { action: 'session.begin', class: 'auth', outcome: 'failure' } as const
  await (user === undefined
    ? act(db, { ...caller, organizationId, actor: nobodyKnown, via: 'console' }, failed)
    : act(db, { ...caller, organizationId, user, via: 'session' }, failed))
}
