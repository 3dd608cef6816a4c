import type { SecondFactorMethod } from '@bey/contract'
import { sql } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.ts'
import type { Passwords } from '../../../platform/crypto/password.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { findLogin } from '../../../platform/db/gateway.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Caller } from '../../../platform/http/handlers.ts'
import { confirmationEnd } from '../../../platform/http/step-up.ts'
import { auditAccount } from '../account-audit.ts'
import { loadUser } from '../load-user.ts'
import type { Ceremonies } from '../passkeys/ceremony.ts'
import { passkeysOf } from '../passkeys/store.ts'
import type { Proof, Proofs } from './proof.ts'
import { wrongText } from './second-factor.ts'
import { secondFactorsOf } from './store.ts'

type StepUpMethod = SecondFactorMethod | 'password'

export type StepUpService = {
  methods(caller: Caller): Promise<{ methods: StepUpMethod[]; validUntil: string }>
  /** Throws `invalid_credentials`, and `conflict` for a way that does not suffice. */
  confirm(input: Proof & { password?: string | undefined }, caller: Caller): Promise<{ validUntil: string }>
}

/** Marks a session as confirmed at `now`. */
export async function confirmSession(db: Db, sessionId: string, now: Date): Promise<void> {
  await db.execute(sql`update sessions set confirmed_at = ${now.toISOString()} where id = ${sessionId}`)
}

/** Confirms who sits at a session: by password, or by a second factor where the user has one. */
export function createStepUp(options: {
  database: Database
  clock: Clock
  passwords: Passwords
  developerEmail: string | undefined
  proofs: Pick<Proofs, 'admit' | 'prepare'>
  publicSite: Ceremonies['publicSite']
}): StepUpService {
  const { database, clock, passwords, developerEmail, proofs, publicSite } = options
  const system = <T>(work: (db: Db) => Promise<T>) => database.asSystem('confirm a session', work)

  async function methodsOf(caller: Caller): Promise<StepUpMethod[]> {
    const site = await publicSite()
    const { factors, keys } = await system(async (db) => ({
      factors: await secondFactorsOf(db, caller.user.id, site),
      keys: await passkeysOf(db, caller.user.id),
    }))
    if (factors.length > 0) return factors
    const found = await findLogin(database.pool, caller.user.email)
    return [
      ...(found?.passwordHash ? ['password' as const] : []),
      ...(keys.length > 0 ? ['passkey' as const] : []),
    ]
  }

  return {
    async methods(caller) {
      const methods = await methodsOf(caller)
      return { methods, validUntil: confirmationEnd(caller.confirmedAt ?? new Date(0)).toISOString() }
    },
    async confirm({ password, ...proof }, caller) {
      const allowed = await methodsOf(caller)
      const asked = methodOf({ password, ...proof })
      if (!allowed.includes(asked)) {
        throw new AppError(
          'conflict',
          asked === 'password'
            ? 'Your account asks for a second factor: confirm with your app or a passkey.'
            : 'Your account has no such factor. Confirm another way.',
        )
      }
      proofs.admit(caller.user, { password, ...proof }, caller)
      const use =
        password === undefined
          ? await proofs.prepare(caller.user.id, proof, 'confirm', caller)
          : await passwordCheck(caller, password)
      const now = clock.now()
      const isConfirmed = await system(async (db) => {
        const user = await loadUser(db, caller.user.id, developerEmail)
        const method = await use(db)
        if (method !== undefined) await confirmSession(db, caller.sessionId, now)
        await auditAccount(db, user, caller, {
          action: 'session.confirm',
          ...(method === undefined ? { outcome: 'failure' } : { diff: { method } }),
        })
        return method !== undefined
      })
      if (isConfirmed) return { validUntil: confirmationEnd(now).toISOString() }
      throw new AppError(
        'invalid_credentials',
        password === undefined ? wrongText(proof) : 'This is not your password.',
      )
    },
  }

  async function passwordCheck(caller: Caller, password: string) {
    const found = await findLogin(database.pool, caller.user.email)
    const isRight = await passwords.verify(found?.passwordHash, password)
    return async () => (isRight ? ('password' as const) : undefined)
  }
}

function methodOf({
  password,
  code,
  recoveryCode,
  passkey,
}: Proof & { password?: string | undefined }): StepUpMethod {
  if (password !== undefined) return 'password'
  if (passkey !== undefined) return 'passkey'
  if (recoveryCode !== undefined) return 'recovery'
  return code === undefined ? 'password' : 'totp'
}
