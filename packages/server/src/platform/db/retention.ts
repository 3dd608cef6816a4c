import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { deleteExpired } from './expired.ts'
import { tryLockUntilCommit } from './locks.ts'

const periodMs = 3_600_000

/** Deletes what has run out by `now`. Several servers of one database may do so at once. */
export type Retention = (now: Date) => Promise<void>

/** Deletes rows that have run out (see `deleteExpired`), unless another process is at it. */
export async function sweepExpired(database: Database, now: Date): Promise<void> {
  await database.asSystem('retention', async (db) => {
    if (await tryLockUntilCommit(db, 'expiredRows')) await deleteExpired(db, now)
  })
}

type RetentionOptions = {
  database: Database
  /** What features delete beside rows of one table. */
  retentions: readonly Retention[]
  clock: Clock
  log: Log
}

/**
 * Sweeps at once, for a server may never be up for an hour, and every hour until stopped. Whatever fails is logged and
 * tried again with the next sweep, and does not keep the rest from being deleted. Stopping waits for the one under way.
 */
export function startRetention({ database, retentions, clock, log }: RetentionOptions): () => Promise<void> {
  const all: Retention[] = [(now) => sweepExpired(database, now), ...retentions]
  let sweeping = Promise.resolve()

  async function sweep(): Promise<void> {
    const now = clock.now()
    for (const retention of all) {
      await retention(now).catch((error: unknown) => {
        log.warn({ err: error }, 'What has run out could not be deleted')
      })
    }
  }
  const begin = () => {
    sweeping = sweep()
  }
  begin()
  const cancel = clock.setInterval(begin, periodMs)
  return () => {
    cancel()
    return sweeping
  }
}
