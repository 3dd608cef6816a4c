import type { PasskeyAssertion, SecondFactorMethod } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ServerSeal } from '../../../platform/crypto/server-seal.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { PublicCaller } from '../../../platform/http/handlers.ts'
import type { KnownDevices } from '../../../platform/http/known-devices.ts'
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

/** Guesses of one account before they have to wait: a code has a million values, and three are good at a time. */
const guesses = { burst: 10, perSecond: 10 / 900 }

export type Proofs = {
  /** Throws `rate_limited` after ten wrong codes of an account; a device that it knows has ten of its own. */
  admit(user: { id: number; email: string }, caller: PublicCaller): void
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

  async function spendCode(db: Db, userId: number, code: string): Promise<boolean> {
    const totp = await totpOf(db, userId)
    if (totp === undefined) return false
    const step = stepOfCode(serverSeal.unseal(totp.secret, totpContext(userId)), code, clock.now())
    return step !== undefined && spendTotpStep(db, userId, step)
  }

  return {
    spendCode,
    admit(user, caller) {
      const device = devices.deviceOf({ cookie: caller.cookie }, user.email) ?? 'elsewhere'
      const { isAllowed, retryAfterMs } = buckets.take(`${user.id} ${device}`)
      if (isAllowed) return
      const seconds = Math.ceil(retryAfterMs / 1000)
      throw new AppError('rate_limited', `Too many codes were tried. Try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      })
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
