import type { Impersonator } from '../../platform/audit/impersonation.ts'
import type { PublicCaller } from '../../platform/http/handlers.ts'
import type { Clock } from '../../platform/clock.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import type { SignInMethod } from './method.ts'
import { deleteExpiredSessions, insertSession } from './store.ts'

/** A session lives this long after it was last used. */
const sessionLifetimeMs = 30 * 86_400_000
/** An impersonated one ends after a working day, used or not. */
const impersonationLifetimeMs = 8 * 3_600_000

/** The machine of a program that is logged in by code, and when the person who confirmed it proved who they are. */
export type DeviceOfSession = { name: string; confirmedAt: Date }

/** Begins a session and answers its token, which is stored nowhere: only its hash is. */
export async function beginSession(
  db: Db,
  userId: number,
  caller: PublicCaller,
  clock: Clock,
  method: SignInMethod,
  impersonated?: { by: Impersonator; ownSessionId: string | undefined },
  device?: DeviceOfSession,
): Promise<string> {
  const now = clock.now()
  const token = newToken('bey_session')
  await deleteExpiredSessions(db, userId, now)
  await insertSession(db, {
    id: uuidv7(),
    userId,
    tokenHash: hashToken(token),
    expiresAt: new Date(now.getTime() + (impersonated ? impersonationLifetimeMs : sessionLifetimeMs)),
    ip: caller.ip,
    userAgent: caller.userAgent,
    method,
    confirmedAt: device?.confirmedAt ?? now,
    deviceName: device?.name ?? null,
    impersonatorName: impersonated?.by.name ?? null,
    impersonatorId: impersonated?.by.id ?? null,
    impersonatorSessionId: impersonated?.ownSessionId ?? null,
  })
  return token
}
