import type { SessionRow } from '@bey/contract'
import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/handlers.ts'
import { sessions } from '../../tables/sessions.ts'
import { auditAccount } from './account-audit.ts'
import { loadUser } from './load-user.ts'
import { deleteOtherSessions, deleteSession } from './store.ts'

export type SessionListService = {
  list(
    query: { page: number; limit: number },
    caller: Caller,
  ): Promise<{ sessions: SessionRow[]; total: number; page: number; limit: number }>
  /** Throws `not_found` for what is no live session of the user. */
  end(id: string, caller: Caller): Promise<null>
  endOthers(caller: Caller): Promise<{ endedSessions: number }>
}

/** Where a user is logged in. What is ended here is closed in every process at once. */
export function createSessionList(options: {
  database: Pick<Database, 'asSystem' | 'withUser'>
  clock: Clock
  developerEmail: string | undefined
  onSessionEnded(sessionId: string): void
}): SessionListService {
  const { database, clock, developerEmail, onSessionEnded } = options
  // An impersonated session is the tester's, who ends it.
  const own = (userId: number) =>
    and(eq(sessions.userId, userId), gt(sessions.expiresAt, clock.now()), isNull(sessions.impersonatorName))
  const load = (db: Db, caller: Caller) => loadUser(db, caller.user.id, developerEmail)

  return {
    list: ({ page, limit }, caller) =>
      database.withUser(caller.user.id, async (db) => {
        const rows = await db
          .select({
            id: sessions.id,
            ip: sessions.ip,
            userAgent: sessions.userAgent,
            deviceName: sessions.deviceName,
            method: sessions.method,
            createdAt: sessions.createdAt,
            lastUsedAt: sessions.lastUsedAt,
            expiresAt: sessions.expiresAt,
          })
          .from(sessions)
          .where(own(caller.user.id))
          .orderBy(desc(sessions.lastUsedAt), desc(sessions.id))
          .limit(limit)
          .offset((page - 1) * limit)
        return {
          sessions: rows.map((row) => ({
            ...row,
            userAgent: row.userAgent ?? '',
            isCurrent: row.id === caller.sessionId,
            createdAt: row.createdAt.toISOString(),
            lastUsedAt: row.lastUsedAt.toISOString(),
            expiresAt: row.expiresAt.toISOString(),
          })),
          total: await db.$count(sessions, own(caller.user.id)),
          page,
          limit,
        }
      }),

    async end(id, caller) {
      const ended = await database.asSystem('end a session', async (db) => {
        const found = await db
          .select({ id: sessions.id })
          .from(sessions)
          .where(and(eq(sessions.id, id), own(caller.user.id)))
        if (found.length === 0)
          throw new AppError('not_found', 'You have no such session. It may have ended already.')
        const ids = await deleteSession(db, id)
        const target = { type: 'session', id }
        await auditAccount(db, await load(db, caller), caller, { action: 'session.revoke', target })
        return ids
      })
      for (const each of ended) onSessionEnded(each)
      return null
    },

    async endOthers(caller) {
      const ended = await database.asSystem('end sessions', async (db) => {
        const ids = await deleteOtherSessions(db, caller.user.id, caller.sessionId)
        const diff = { endedSessions: ids.length }
        if (ids.length > 0) {
          await auditAccount(db, await load(db, caller), caller, { action: 'session.revoke_others', diff })
        }
        return ids
      })
      for (const each of ended) onSessionEnded(each)
      return { endedSessions: ended.length }
    },
  }
}
