import { sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { AccessEnd } from './proxy/open-streams.ts'

const channel = 'bey_access_ends'

/** Tells every server process, when the transaction commits, that a right has ended. */
export async function announceAccessEnd(db: Pick<Db, 'execute'>, ended: AccessEnd): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${JSON.stringify(ended)})`)
}

export type AccessChannel = { stop(): Promise<void> }

/**
 * Listens on a connection of its own. `onGap` is called after each time that announcements may have been missed:
 * whoever has something open must ask again.
 */
export function listenForAccessEnds(options: {
  pool: pg.Pool
  clock: Clock
  log: Log
  onEnd: (ended: AccessEnd) => void
  onGap: () => void
}): AccessChannel {
  const { pool, clock, log } = options
  let client: pg.PoolClient | undefined
  let isStopped = false
  let isFirst = true
  let cancelRetry = () => undefined as void

  async function listen(): Promise<void> {
    try {
      const found = await pool.connect()
      if (isStopped) return found.release()
      client = found
      found.on('notification', ({ payload }) => {
        const ended = parse(payload)
        if (ended) options.onEnd(ended)
      })
      found.on('error', lost)
      found.on('end', lost)
      await found.query(`listen ${channel}`)
      if (!isFirst) options.onGap()
      isFirst = false
    } catch (error) {
      log.warn({ err: error }, 'The channel for ended rights is not connected')
      lost()
    }
  }

  function lost(): void {
    const before = client
    client = undefined
    if (before) {
      before.removeAllListeners()
      before.on('error', () => undefined)
      before.release(true)
    }
    if (isStopped) return
    cancelRetry()
    cancelRetry = clock.setTimeout(() => void listen(), 500)
  }

  void listen()
  return {
    async stop() {
      isStopped = true
      cancelRetry()
      lost()
    },
  }
}

/** Undefined for what is no announcement: others may write to the channel who share the database. */
function parse(payload: string | undefined): AccessEnd | undefined {
  try {
    const value = JSON.parse(payload ?? '') as AccessEnd | null
    return value && ['token', 'session', 'member', 'cluster'].includes(value.kind) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
