import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'
import { deleteExpired, deleteRuns, listOldRuns, takeTurn } from './expired.ts'

const periodMs = 3_600_000
/** Runs that are deleted in one transaction. */
const runsAtOnce = 200

/** Lets the engine forget what it keeps of runs that are over. */
export type ForgetRuns = (runIds: string[]) => Promise<void>

/** Deletes what has run out (see `deleteExpired`), and runs that ended more than 90 days ago. */
export async function sweepExpired(database: Database, now: Date, forgetRuns: ForgetRuns): Promise<void> {
  const isMine = await database.asSystem('retention', async (db) => {
    if (!(await takeTurn(db))) return false
    await deleteExpired(db, now)
    return true
  })
  if (!isMine) return
  for (;;) {
    const ids = await database.asSystem('retention', (db) => listOldRuns(db, now, runsAtOnce))
    if (ids.length === 0) return
    // The engine first: what it has forgotten and we have not is found again.
    await forgetRuns(ids)
    await database.asSystem('retention', (db) => deleteRuns(db, ids))
  }
}

type RetentionOptions = {
  database: Database
  forgetRuns: ForgetRuns
  /** Destroys deleted secrets whose time to be restored is over. */
  purgeSecrets: (now: Date) => Promise<void>
  clock: Clock
  log: Log
}

/**
 * Sweeps at once, for a server may never be up for an hour, and every hour until stopped. A sweep that fails is
 * logged and tried again with the next. Stopping waits for the one under way.
 */
export function startRetention({
  database,
  forgetRuns,
  purgeSecrets,
  clock,
  log,
}: RetentionOptions): () => Promise<void> {
  let sweeping = Promise.resolve()
  function sweep(): void {
    const now = clock.now()
    const warn = (error: unknown) => log.warn({ err: error }, 'Expired rows could not be deleted')
    sweeping = sweepExpired(database, now, forgetRuns)
      .catch(warn)
      .then(() => purgeSecrets(now))
      .catch(warn)
  }
  sweep()
  const cancel = clock.setInterval(sweep, periodMs)
  return () => {
    cancel()
    return sweeping
  }
}
