import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.ts'
import type { Passwords } from '../../../platform/crypto/password.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { PublicCaller } from '../../../platform/http/handlers.ts'
import { enqueueMail } from '../../../platform/mail/outbox.ts'
import { users } from '../../../tables/users.ts'
import { auditAccount, auditStranger } from '../account-audit.ts'
import { loadUser } from '../load-user.ts'
import { deleteOtherSessions } from '../store.ts'
import { countTicketsOf, dropTicketsOf, issueTicket, takeTicket } from '../tickets.ts'
import { passwordChangedMail, resetMail } from './mails.ts'

/** Every request takes at least so long: whether the address has an account does not show in the time. */
const answerAfterMs = 250
/** Links of one account that may wait; older ones expire after 30 minutes. */
const maxWaiting = 5

export type PasswordReset = {
  /** Resolves alike whether the address has an account or not. */
  request(email: string, caller: PublicCaller): Promise<void>
  /** Throws `ticket_expired` for a link that was used, has expired, or never was. */
  reset(input: { token: string; password: string }, caller: PublicCaller): Promise<{ endedSessions: number }>
}

export function createPasswordReset(options: {
  database: Pick<Database, 'asSystem'>
  clock: Clock
  passwords: Passwords
  developerEmail: string | undefined
  /**
   * Of the console, without a slash at the end. Never taken from the request: its Host header could lead the link, and
   * with it the token, to somebody else's server.
   */
  address(): Promise<string>
  onSessionEnded(sessionId: string): void
}): PasswordReset {
  const { database, clock, passwords, developerEmail, address, onSessionEnded } = options
  const system = <T>(work: (db: Db) => Promise<T>) => database.asSystem('reset a password', work)

  async function send(email: string, caller: PublicCaller): Promise<void> {
    const origin = await address()
    await system(async (db) => {
      const rows = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
      const userId = rows[0]?.id
      if (userId === undefined) return auditStranger(db, caller, { action: 'user.request_password_reset' })
      const user = await loadUser(db, userId, developerEmail)
      if ((await countTicketsOf(db, userId, 'password_reset')) >= maxWaiting) {
        return auditAccount(db, user, caller, { action: 'user.request_password_reset', outcome: 'denied' })
      }
      const { token } = await issueTicket(db, 'password_reset', { userId, data: {}, now: clock.now() })
      // Behind the hash, which browsers send to no server and no log.
      const link = `${origin}/reset-password#${token}`
      await enqueueMail(db, { ...resetMail(user, link, caller), to: email, withoutSmtp: 'file' })
      await auditAccount(db, user, caller, { action: 'user.request_password_reset' })
    })
  }

  return {
    async request(email, caller) {
      await Promise.all([send(email, caller), sleep(answerAfterMs)])
    },

    async reset({ token, password }, caller) {
      const passwordHash = await passwords.hash(password)
      const ended = await system(async (db) => {
        const ticket = await takeTicket(db, 'password_reset', token, clock.now())
        if (ticket?.userId == null) {
          await auditStranger(db, caller, { action: 'user.reset_password' })
          return undefined
        }
        const { userId } = ticket
        await db.update(users).set({ passwordHash }).where(eq(users.id, userId))
        await dropTicketsOf(db, userId, ['password_reset', 'second_factor'])
        const ids = await deleteOtherSessions(db, userId)
        const user = await loadUser(db, userId, developerEmail)
        await auditAccount(db, user, caller, {
          action: 'user.reset_password',
          diff: { endedSessions: ids.length },
        })
        await enqueueMail(db, { ...passwordChangedMail(user, caller), to: user.email })
        return ids
      })
      if (ended === undefined) {
        throw new AppError(
          'ticket_expired',
          'This link was used before or has expired: it is good once, for 30 minutes. Ask for another one.',
        )
      }
      for (const id of ended) onSessionEnded(id)
      return { endedSessions: ended.length }
    },
  }
}
