import type pg from 'pg'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'

/** Uses are written together so often. */
const flushPeriodMs = 5_000

type Use = { at: Date; ip: string }

export type KeyUses = {
  /** Costs nothing but memory. */
  record(keyId: string, ip: string): void
  /** Writes what was recorded; what cannot be written is tried with the next. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** When and from where each key was used last: written every few seconds, all keys with one statement. */
export function createKeyUses(pool: Pick<pg.Pool, 'query'>, clock: Clock, log: Log): KeyUses {
  let uses = new Map<string, Use>()

  async function flush(): Promise<void> {
    if (uses.size === 0) return
    const taken = uses
    uses = new Map()
    const rows = [...taken]
    try {
      await pool.query('select record_api_key_uses($1::uuid[], $2::timestamptz[], $3::text[])', [
        rows.map(([id]) => id),
        rows.map(([, { at }]) => at),
        rows.map(([, { ip }]) => ip),
      ])
    } catch (error) {
      log.debug({ err: error }, 'The last uses of API keys were not written')
      for (const [id, use] of taken) if (!uses.has(id)) uses.set(id, use)
    }
  }

  const cancel = clock.setInterval(() => void flush(), flushPeriodMs)
  return {
    record: (keyId, ip) => void uses.set(keyId, { at: clock.now(), ip }),
    flush,
    async stop() {
      cancel()
      await flush()
    },
  }
}
