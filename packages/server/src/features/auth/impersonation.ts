import type { GodmodeUser, User } from '@bey/contract'
import { act, personActor } from '../../platform/act.ts'
import { serverTrail } from '../../platform/audit/refusals.ts'
import { onBehalfOf, type Impersonator } from '../../platform/audit/impersonation.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Total } from '../../platform/db/totals.ts'
import { AppError } from '../../platform/errors.ts'
import type { PublicCaller } from '../../platform/http/handlers.ts'
import { isFromThisMachine } from '../../platform/http/own-machine.ts'
import type { GodmodeStatus } from './routes.ts'
import { presentUser } from './present.ts'
import { beginSession } from './sessions.ts'
import {
  countUsers,
  deleteImpersonatedSessions,
  holdOwnSession,
  listUsers,
  organizationsOf,
  userById,
  type UserListQuery,
} from './store.ts'

export type ImpersonationOptions = {
  database: Database
  clock: Clock
  status: GodmodeStatus
  developerEmail: string | undefined
  /** Whether a host or address can only be this machine. */
  isLoopback(host: string): boolean
}

/** Lets testers at the server's own machine log in as anybody; refuses everybody else, and all where it is off. */
export type ImpersonationService = {
  users(query: UserListQuery, caller: PublicCaller): Promise<{ users: GodmodeUser[] } & Total>
  impersonate(userId: number, caller: PublicCaller): Promise<{ token: string; user: User }>
  /** Where impersonation is off, ends what was begun while it was on. */
  endLeftovers(): Promise<void>
}

export function createImpersonationService(options: ImpersonationOptions): ImpersonationService {
  const { database, clock, status } = options

  function requireAllowed(caller: PublicCaller): void {
    if (!status.enabled) throw new AppError('godmode_disabled', status.warning)
    if (isFromThisMachine(caller, options.isLoopback)) return
    throw new AppError(
      'godmode_disabled',
      'Impersonation answers only at this machine itself: open the console at localhost.',
    )
  }

  return {
    async users(query, caller) {
      requireAllowed(caller)
      return database.asSystem('list users to impersonate', async (db) => ({
        users: await listUsers(db, query),
        ...(await countUsers(db, query)),
      }))
    },
    async impersonate(userId, caller) {
      requireAllowed(caller)
      const impersonator = impersonatorOf(caller)
      return database.asSystem('impersonate a user', (db) =>
        onBehalfOf(impersonator, () => begin(db, userId, impersonator, caller)),
      )
    },
    async endLeftovers() {
      if (status.enabled) return
      await database.asSystem('end impersonated sessions', deleteImpersonatedSessions)
    },
  }

  async function begin(db: Db, userId: number, impersonator: Impersonator, caller: PublicCaller) {
    const row = await userById(db, userId)
    if (row === undefined) throw new AppError('not_found', `There is no user with the id ${userId}.`)
    const user = presentUser(row, await organizationsOf(db, userId, 'impersonation'), options.developerEmail)
    const ownSessionId = caller.session && (await holdOwnSession(db, caller.session.sessionId))
    if (caller.session && ownSessionId === undefined)
      throw new AppError('unauthenticated', 'Your own session has ended. Log in again.')
    const token = await beginSession(db, userId, caller, clock, 'impersonation', {
      by: impersonator,
      ownSessionId,
    })
    const own = impersonator.id === null ? undefined : await userById(db, impersonator.id)
    // Under both identities: what the tester did, and what was done in the user's name.
    const organizationId = own?.activeOrganizationId ?? serverTrail
    const actor = own ? personActor(own) : ({ type: 'system', name: impersonator.name, email: null } as const)
    await act(
      db,
      { ...caller, organizationId, actor, via: 'console' },
      {
        action: 'user.impersonate',
        class: 'auth',
        target: { type: 'user', id: userId, name: row.email },
      },
    )
    await act(
      db,
      { ...caller, organizationId: user.activeOrganizationId ?? serverTrail, user, via: 'session' },
      { action: 'session.begin', class: 'auth' },
    )
    return { token, user }
  }
}

/** The tester: the logged-in user, or the one who impersonates; otherwise the local user of the machine. */
function impersonatorOf({ session }: PublicCaller): Impersonator {
  if (session === undefined) return { id: null, name: 'A tester without an account', email: null }
  const { id, name, email } = session.user
  return session.impersonator ?? { id, name, email }
}
