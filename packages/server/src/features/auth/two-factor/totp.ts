import type { User } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ServerSeal } from '../../../platform/crypto/server-seal.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/http/handlers.ts'
import { auditAccount } from '../account-audit.ts'
import { loadUser } from '../load-user.ts'
import { dropTicket, dropTicketsOf, holdTicket, issueTicket } from '../tickets.ts'
import { requireAdmissionStays } from '../ways-in.ts'
import { newRecoveryCodes, newTotpSecret, stepOfCode, totpTexts } from './codes.ts'
import { type Proofs, totpContext } from './proof.ts'
import { confirmTotp, offerTotp, removeTotp, replaceRecoveryCodes, replaceTotp, totpOf } from './store.ts'

/** Two-factor authentication by an authenticator app, as its user turns it on and off. */
export type TotpService = {
  begin(caller: Caller): Promise<{ secret: string; uri: string }>
  /** Throws `invalid_credentials` unless the code is one of the app's. Answers the recovery codes, this once. */
  confirm(code: string, caller: Caller): Promise<{ recoveryCodes: string[] }>
  disable(caller: Caller): Promise<null>
  renewRecoveryCodes(caller: Caller): Promise<{ recoveryCodes: string[] }>
}

/** What opens the one replacement that waits for a user; only their own session asks for it. */
const replacementOf = (userId: number) => `totp-of-${userId}`

export function createTotpService(options: {
  database: Pick<Database, 'asSystem'>
  clock: Clock
  serverSeal: ServerSeal
  developerEmail: string | undefined
  proofs: Pick<Proofs, 'admit' | 'spendCode'>
}): TotpService {
  const { database, clock, serverSeal, developerEmail, proofs } = options
  const system = <T>(work: (db: Db) => Promise<T>) =>
    database.asSystem('change two-factor authentication', work)
  const load = (db: Db, caller: Caller) => loadUser(db, caller.user.id, developerEmail)

  /** Uses another app from now on, whose code this must be. */
  async function replace(
    db: Db,
    user: User,
    code: string,
    recoveryHashes: readonly Buffer[],
    caller: Caller,
  ): Promise<'is on' | 'wrong' | 'done'> {
    const now = clock.now()
    const ticket = await holdTicket(db, 'totp', replacementOf(user.id), now)
    if (ticket === undefined) return 'is on'
    const secret = Buffer.from(ticket.data.secret, 'base64')
    const lastStep = stepOfCode(serverSeal.unseal(secret, totpContext(user.id)), code, now)
    const act = { action: 'user.replace_two_factor' }
    if (lastStep === undefined) {
      await auditAccount(db, user, caller, { ...act, outcome: 'failure' })
      return 'wrong'
    }
    await replaceTotp(db, user.id, { secret, lastStep, confirmedAt: now })
    await replaceRecoveryCodes(db, user.id, recoveryHashes)
    await dropTicket(db, ticket.id)
    await auditAccount(db, user, caller, act)
    return 'done'
  }

  return {
    async begin(caller) {
      const secret = newTotpSecret()
      const { id: userId, email } = caller.user
      const sealed = serverSeal.seal(secret, totpContext(userId))
      await system(async (db) => {
        if (await offerTotp(db, userId, sealed)) return
        // The app in use stays until a code of the other one was entered.
        await dropTicketsOf(db, userId, ['totp'])
        const data = { secret: sealed.toString('base64') }
        await issueTicket(db, 'totp', { userId, data, now: clock.now(), token: replacementOf(userId) })
      })
      return totpTexts(secret, email)
    },

    async confirm(code, caller) {
      proofs.admit(caller.user, { code }, caller)
      const { codes, hashes } = newRecoveryCodes()
      const outcome = await system(async (db) => {
        const user = await load(db, caller)
        const totp = await totpOf(db, user.id)
        if (totp === undefined) return 'not begun'
        if (totp.confirmedAt !== null) return replace(db, user, code, hashes, caller)
        if (!(await proofs.spendCode(db, user.id, code))) {
          await auditAccount(db, user, caller, { action: 'user.enable_two_factor', outcome: 'failure' })
          return 'wrong'
        }
        if (!(await confirmTotp(db, user.id, clock.now()))) return 'is on'
        await replaceRecoveryCodes(db, user.id, hashes)
        await auditAccount(db, user, caller, { action: 'user.enable_two_factor' })
        return 'done'
      })
      if (outcome === 'done') return { recoveryCodes: codes }
      if (outcome === 'wrong') {
        throw new AppError(
          'invalid_credentials',
          'This code does not fit. Check that the clock of your device is right, and enter the present code.',
        )
      }
      throw new AppError(
        'conflict',
        outcome === 'is on' ? 'Two-factor authentication is on already.' : 'Begin with a new secret first.',
      )
    },

    disable: (caller) =>
      system(async (db) => {
        const user = await load(db, caller)
        if (await removeTotp(db, user.id)) {
          await requireAdmissionStays(db, user.id)
          await auditAccount(db, user, caller, { action: 'user.disable_two_factor' })
        }
        return null
      }),

    async renewRecoveryCodes(caller) {
      const { codes, hashes } = newRecoveryCodes()
      const isDone = await system(async (db) => {
        const user = await load(db, caller)
        if (!(await totpOf(db, user.id))?.confirmedAt) return false
        await replaceRecoveryCodes(db, user.id, hashes)
        await auditAccount(db, user, caller, { action: 'user.renew_recovery_codes' })
        return true
      })
      if (isDone) return { recoveryCodes: codes }
      throw new AppError('conflict', 'Recovery codes belong to two-factor authentication, which is off.')
    },
  }
}
