import { sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { endAccess } from '../../platform/live/access-end.ts'
import type { Log } from '../../platform/log.ts'

const periodMs = 30_000
/** A little more than the period, so that nothing falls between two looks. */
const aheadSeconds = 35

/**
 * Ends what keys opened at the moment at which they, or secrets that were replaced, expire: looks half a minute ahead.
 * What several servers announce together ends once.
 */
export function watchKeyExpiry({
  database,
  clock,
  log,
}: {
  database: Pick<Database, 'asSystem' | 'isUp'>
  clock: Clock
  log: Log
}): () => Promise<void> {
  const timers = new Map<string, () => void>()
  let checking: Promise<void> | undefined

  async function check(): Promise<void> {
    const { rows } = await database.asSystem('find API keys that expire', (db) =>
      // By the database's own clock, which decides whether a key works.
      db.execute<{ id: string; waitMs: number }>(sql`
        select s.id, extract(epoch from least(k.expires_at, s.valid_until) - now()) * 1000 as "waitMs"
        from api_keys k join api_key_secrets s on s.organization_id = k.organization_id and s.key_id = k.id
        where k.revoked_at is null
          and (k.expires_at between now() and now() + make_interval(secs => ${aheadSeconds})
            or s.valid_until between now() and now() + make_interval(secs => ${aheadSeconds}))`),
    )
    for (const { id, waitMs } of rows) {
      if (timers.has(id) || Number(waitMs) < 0) continue
      timers.set(
        id,
        clock.setTimeout(() => end(id), Number(waitMs) + 20),
      )
    }
  }

  function end(id: string): void {
    timers.delete(id)
    database
      .asSystem('end what an API key opened', (db) => endAccess(db, { kind: 'key', id }))
      .catch((error: unknown) => log.warn({ err: error }, 'The end of an API key was not announced'))
  }

  function begin(): void {
    if (!database.isUp()) return
    checking ??= check()
      .catch((error: unknown) => log.warn({ err: error }, 'Expiring API keys were not found'))
      .finally(() => (checking = undefined))
  }
  begin()
  const cancel = clock.setInterval(begin, periodMs)
  return async () => {
    cancel()
    await checking
    for (const cancelTimer of timers.values()) cancelTimer()
  }
}
