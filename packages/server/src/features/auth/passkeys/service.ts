import { maxPasskeys } from '@bey/contract/auth/account-security'
import type { Passkey, PasskeyAssertion, PasskeyAttestation } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Caller, PublicCaller } from '../../../platform/http/handlers.ts'
import { auditAccount, auditStranger } from '../account-audit.ts'
import type { SignIn, Session } from '../sign-in.ts'
import { loadUser } from '../load-user.ts'
import { requireAdmissionStays, requireAnotherWay } from '../ways-in.ts'
import { holdTicket } from '../tickets.ts'
import type { Ceremonies } from './ceremony.ts'
import { deletePasskey, insertPasskey, type PasskeyRow, passkeysOf, countPasskeyUse } from './store.ts'

type Json = Record<string, unknown>

export type PasskeyService = {
  /** Options to continue with a ticket, to confirm a session, or to sign in as anybody. */
  options(ticket: string | undefined, caller: PublicCaller): Promise<{ options: Json }>
  /** Throws `invalid_credentials` where the passkey is not accepted. */
  logIn(assertion: PasskeyAssertion, caller: PublicCaller): Promise<Session>
  creationOptions(caller: Caller): Promise<{ options: Json }>
  add(input: { name: string; passkey: PasskeyAttestation }, caller: Caller): Promise<Passkey>
  remove(id: string, caller: Caller): Promise<null>
}

export function createPasskeyService(options: {
  database: Pick<Database, 'asSystem'>
  clock: Clock
  developerEmail: string | undefined
  ceremonies: Ceremonies
  signIn: Pick<SignIn, 'complete'>
}): PasskeyService {
  const { database, clock, developerEmail, ceremonies, signIn } = options
  const system = <T>(work: (db: Db) => Promise<T>) => database.asSystem('use passkeys', work)
  const load = (db: Db, caller: Caller) => loadUser(db, caller.user.id, developerEmail)

  return {
    async options(ticket, caller) {
      if (ticket !== undefined) {
        const found = await system((db) => holdTicket(db, 'second_factor', ticket, clock.now()))
        if (found?.userId == null) {
          throw new AppError('ticket_expired', 'This sign-in has expired. Log in again from the beginning.')
        }
        return { options: await ceremonies.requestOptions('second_factor', found.userId, caller) }
      }
      const purpose = caller.session ? 'confirm' : 'login'
      return { options: await ceremonies.requestOptions(purpose, caller.session?.user.id ?? null, caller) }
    },

    async logIn(assertion, caller) {
      const verified = await ceremonies.verify(assertion, 'login', undefined, caller)
      const session = await system(async (db) => {
        const now = clock.now()
        if (verified !== undefined) {
          const { row, newCounter } = verified
          if (await countPasskeyUse(db, row.id, { counter: row.counter, newCounter, now })) {
            return signIn.complete(db, { userId: row.userId, method: 'passkey' }, caller)
          }
        }
        await auditStranger(db, caller, { action: 'session.begin', diff: { method: 'passkey' } })
        return undefined
      })
      if (session !== undefined) return session
      throw new AppError(
        'invalid_credentials',
        'This passkey was not accepted. It may have been removed, or belongs to another address. Log in with your password or another passkey.',
      )
    },

    async creationOptions(caller) {
      const known = await system((db) => passkeysOf(db, caller.user.id))
      if (known.length >= maxPasskeys) throw tooMany()
      return { options: await ceremonies.creationOptions(caller.user, caller) }
    },

    async add({ name, passkey }, caller) {
      const made = await ceremonies.verifyNew(passkey, caller.user.id, caller)
      const outcome = await system(async (db) => {
        const user = await load(db, caller)
        if (made === undefined) {
          await auditAccount(db, user, caller, { action: 'passkey.create', outcome: 'denied' })
          return 'refused'
        }
        if ((await passkeysOf(db, user.id)).length >= maxPasskeys) return 'too many'
        const row = await insertPasskey(db, { ...made, userId: user.id, name })
        if (row === undefined) return 'known'
        await auditAccount(db, user, caller, {
          action: 'passkey.create',
          target: { type: 'passkey', id: row.id.slice(0, 40), name },
        })
        return row
      })
      if (outcome === 'too many') throw tooMany()
      if (outcome === 'known') throw new AppError('conflict', 'This passkey is known already.')
      if (outcome !== 'refused') return presentPasskey(outcome)
      throw new AppError('invalid_credentials', 'The browser’s answer was not accepted. Begin again.')
    },

    remove: (id, caller) =>
      system(async (db) => {
        const user = await load(db, caller)
        const name = await deletePasskey(db, user.id, id)
        if (name === undefined) throw new AppError('not_found', 'You have no such passkey.')
        await requireAnotherWay(db, user.id)
        await requireAdmissionStays(db, user.id)
        await auditAccount(db, user, caller, {
          action: 'passkey.delete',
          target: { type: 'passkey', id: id.slice(0, 40), name },
        })
        return null
      }),
  }
}

export function presentPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    relyingParty: row.relyingParty,
    isBackedUp: row.isBackedUp,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }
}

function tooMany(): AppError {
  return new AppError(
    'limit_reached',
    `You have ${maxPasskeys} passkeys, which is the most. Remove one first.`,
  )
}
