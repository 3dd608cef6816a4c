import type { Clock } from '../../../platform/clock.ts'
import type { ServerSeal } from '../../../platform/crypto/server-seal.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/http/handlers.ts'
import { auditAccount } from '../account-audit.ts'
import { loadUser } from '../load-user.ts'
import { newRecoveryCodes, newTotpSecret, totpTexts } from './codes.ts'
import { type Proofs, totpContext } from './proof.ts'
import { confirmTotp, offerTotp, removeTotp, replaceRecoveryCodes, totpOf } from './store.ts'

/** Two-factor authentication by an authenticator app, as its user turns it on and off. */
export type TotpService = {
  begin(caller: Caller): Promise<{ secret: string; uri: string }>
  /** Throws `invalid_credentials` unless the code is one of the app's. Answers the recovery codes, this once. */
  confirm(code: string, caller: Caller): Promise<{ recoveryCodes: string[] }>
  disable(caller: Caller): Promise<null>
  renewRecoveryCodes(caller: Caller): Promise<{ recoveryCodes: string[] }>
}

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

  return {
    async begin(caller) {
      const secret = newTotpSecret()
      const sealed = serverSeal.seal(secret, totpContext(caller.user.id))
      if (await system((db) => offerTotp(db, caller.user.id, sealed)))
        return totpTexts(secret, caller.user.email)
      throw new AppError(
        'conflict',
        'Two-factor authentication is on already. Turn it off first to use another app.',
      )
    },

    async confirm(code, caller) {
      proofs.admit(caller.user, caller)
      const { codes, hashes } = newRecoveryCodes()
      const outcome = await system(async (db) => {
        const user = await load(db, caller)
        const totp = await totpOf(db, user.id)
        if (totp === undefined) return 'not begun'
        if (totp.confirmedAt !== null) return 'is on'
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
