import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { PublicCaller } from '../../../platform/http/handlers.ts'
import { auditAccount, auditStranger } from '../account-audit.ts'
import type { SignIn, Session } from '../sign-in.ts'
import { loadUser } from '../load-user.ts'
import type { SignInMethod } from '../method.ts'
import { countAttempt, dropTicket, holdTicket } from '../tickets.ts'
import type { Proof, Proofs } from './proof.ts'

/** Wrong answers to one ticket; then the sign-in begins anew. */
const maxAttempts = 5

const expired = () =>
  new AppError('ticket_expired', 'This sign-in has expired. Log in again from the beginning.')

/** Completes sign-ins whose first step succeeded. Throws `ticket_expired` and `invalid_credentials`. */
export function createSecondFactor(options: {
  database: Pick<Database, 'asSystem'>
  clock: Clock
  developerEmail: string | undefined
  signIn: Pick<SignIn, 'complete'>
  proofs: Pick<Proofs, 'admit' | 'prepare'>
}): (input: Proof & { ticket: string }, caller: PublicCaller) => Promise<Session> {
  const { database, clock, developerEmail, signIn, proofs } = options
  const system = <T>(work: (db: Db) => Promise<T>) => database.asSystem('complete a sign-in', work)

  return async ({ ticket: token, ...proof }, caller) => {
    const user = await system(async (db) => {
      const ticket = await holdTicket(db, 'second_factor', token, clock.now())
      if (ticket?.userId == null) {
        await auditStranger(db, caller, { action: 'session.second_factor' })
        return undefined
      }
      return loadUser(db, ticket.userId, developerEmail)
    })
    if (user === undefined) throw expired()
    proofs.admit(user, proof, caller)
    const use = await proofs.prepare(user.id, proof, 'second_factor', caller)
    const result = await system(async (db): Promise<Session | 'expired' | 'wrong'> => {
      const ticket = await holdTicket(db, 'second_factor', token, clock.now())
      if (ticket === undefined) return 'expired'
      const secondFactor = await use(db)
      if (secondFactor === undefined) {
        const isLast = ticket.attempts + 1 >= maxAttempts
        await (isLast ? dropTicket(db, ticket.id) : countAttempt(db, ticket.id))
        await auditAccount(db, user, caller, { action: 'session.second_factor', outcome: 'failure' })
        return isLast ? 'expired' : 'wrong'
      }
      await dropTicket(db, ticket.id)
      // The column holds what the first step wrote.
      const method = ticket.data.method as SignInMethod
      return signIn.complete(db, { userId: user.id, method, secondFactor }, caller)
    })
    if (result === 'expired') throw expired()
    if (result === 'wrong') throw new AppError('invalid_credentials', wrongText(proof))
    return result
  }
}

/** Why a proof was refused, in words for anyone who gave it. */
export function wrongText({ recoveryCode, passkey }: Proof): string {
  if (passkey !== undefined) return 'This passkey was not accepted. Try again, or use another way.'
  if (recoveryCode !== undefined) return 'This recovery code is wrong or was used before. Enter another one.'
  return 'This code is wrong or was used before. Wait for the next one in your app.'
}
