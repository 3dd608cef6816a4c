import { and, isNotNull, lt, or } from 'drizzle-orm'

import { idempotencyKeys } from '../../tables/idempotency-keys.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { processes } from '../../tables/processes.ts'
import { sessions } from '../../tables/sessions.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Deletes what has run out: idempotency keys after 24 h, sessions, kubeconfig tokens 30 days after their end. */
export async function sweepExpired(database: Database, now: Date): Promise<void> {
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  await database.asSystem('retention', async (db) => {
    await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before(dayMs)))
    await db.delete(sessions).where(lt(sessions.expiresAt, now))
    // Kept for a while: people look up what a token was when they find it somewhere.
    const ended = before(30 * dayMs)
    await db
      .delete(kubeconfigTokens)
      .where(
        or(
          lt(kubeconfigTokens.expiresAt, ended),
          and(isNotNull(kubeconfigTokens.revokedAt), lt(kubeconfigTokens.revokedAt, ended)),
        ),
      )
    await db.delete(processes).where(lt(processes.heartbeatAt, before(dayMs)))
  })
}

/** Sweeps every hour until stopped; a sweep that fails is logged and tried again with the next. */
export function startRetention(database: Database, clock: Clock, log: Log): () => void {
  return clock.setInterval(() => {
    sweepExpired(database, clock.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'Expired rows could not be deleted')
    })
  }, hourMs)
}
