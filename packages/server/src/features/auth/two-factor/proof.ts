import type { PasskeyAssertion, SecondFactorMethod } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ServerSeal } from '../../../platform/crypto/server-seal.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { PublicCaller } from '../../../platform/http/handlers.ts'
import type { KnownDevices } from '../../../platform/http/known-devices.ts'
import { networkOf } from '../../../platform/http/client-address.ts'
import { rateBuckets } from '../../../platform/rate-buckets.ts'
import type { Ceremonies } from '../passkeys/ceremony.ts'
import { countPasskeyUse } from '../passkeys/store.ts'
import { hashRecoveryCode, stepOfCode } from './codes.ts'
import { totpOf, spendRecoveryCode, spendTotpStep } from './store.ts'

export type Proof = {
  code?: string | undefined
  recoveryCode?: string | undefined
  passkey?: PasskeyAssertion | undefined
}

/** Guesses of one account from one place before they have to wait. */
const guesses = { burst: 10, perSecond: 10 / 900 }
/**
 * Codes of one account from everywhere but its known devices, however many addresses they come from: a code has a million
 * values, of which three are good at a time, so that a day's guesses succeed with a chance of 0.06 %.
 */
const guessesElsewhere = { burst: 100, perSecond: 100 / 86_400 }

export type Proofs = {
  /**
   * Counts a code or password before it is checked. Throws `rate_limited` after ten of an account from one address, or
   * from one device that it knows, and after a hundred codes from unknown devices. Passkeys and recovery codes cannot be
   * guessed and are not limited here: they are the way in for an owner whose codes somebody else guesses.
   */
  admit(
    user: { id: number; email: string },
    proof: Proof & { password?: string | undefined },
    caller: PublicCaller,
  ): void
  /** A passkey's signature is checked here; the function then uses the proof up in a transaction, undefined where wrong. */
  prepare(
    userId: number,
    proof: Proof,
    purpose: 'second_factor' | 'confirm',
    caller: PublicCaller,
  ): Promise<(db: Db) => Promise<SecondFactorMethod | undefined>>
  /** Whether the code is one of the app's that was not used before; uses it up. */
  spendCode(db: Db, userId: number, code: string): Promise<boolean>
}

export const totpContext = (userId: number) => `user-totp:${userId}`

export function createProofs(options: {
  clock: Clock
  serverSeal: ServerSeal
  ceremonies: Pick<Ceremonies, 'verify'>
  devices: Pick<KnownDevices, 'deviceOf'>
}): Proofs {
  const { clock, serverSeal, ceremonies, devices } = options
  const buckets = rateBuckets(clock, guesses)
  const elsewhere = rateBuckets(clock, guessesElsewhere)

  async function spendCode(db: Db, userId: number, code: string): Promise<boolean> {
    const totp = await totpOf(db, userId)
    if (totp === undefined) return false
    const step = stepOfCode(serverSeal.unseal(totp.secret, totpContext(userId)), code, clock.now())
    return step !== undefined && spendTotpStep(db, userId, step)
  }

  return {
    spendCode,
    admit(user, { code, password }, caller) {
      if (code === undefined && password === undefined) return
      const device = devices.deviceOf({ cookie: caller.cookie }, user.email)
      const here = buckets.take(`${user.id} ${device ?? networkOf(caller.ip)}`)
      if (!here.isAllowed) throw tooMany('Too many codes were tried.', here.retryAfterMs)
      if (device !== undefined || code === undefined) return
      const everywhere = elsewhere.take(String(user.id))
      if (everywhere.isAllowed) return
      throw tooMany(
        'Too many codes were tried on unknown devices. Use a recovery code, a passkey, or a device from which you logged in before.',
        everywhere.retryAfterMs,
      )
    },
    async prepare(userId, { code, recoveryCode, passkey }, purpose, caller) {
      if (passkey !== undefined) {
        const verified = await ceremonies.verify(passkey, purpose, userId, caller)
        if (verified === undefined) return async () => undefined
        const { row, newCounter } = verified
        return async (db) =>
          (await countPasskeyUse(db, row.id, { counter: row.counter, newCounter, now: clock.now() }))
            ? 'passkey'
            : undefined
      }
      if (recoveryCode !== undefined) {
        const hash = hashRecoveryCode(recoveryCode)
        return async (db) =>
          (await spendRecoveryCode(db, userId, hash, clock.now())) ? 'recovery' : undefined
      }
      return async (db) => (code !== undefined && (await spendCode(db, userId, code)) ? 'totp' : undefined)
    },
  }
}

function tooMany(reason: string, waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000)
  return new AppError('rate_limited', `${reason} Try again in ${seconds} s.`, { retryAfterSeconds: seconds })
}
