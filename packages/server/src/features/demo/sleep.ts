import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { putToSleep, sleepingDemos } from './store.ts'

const roundMs = 10_000
/** The console looks every minute while a page of the demo is open. */
const unseenMs = 10 * 60_000
/** Until then the observers of health have let go of the clusters, so that their end is no outage. */
const settleMs = 30_000

/** Stops the sandboxes of unwatched demos; the next request starts them again. Returns a function that ends this. */
export function createSleep({
  database,
  clock,
  log,
  sleep,
}: {
  database: Database
  clock: Clock
  log: Log
  sleep: (organizationId: number) => Promise<void>
}): () => void {
  async function round(): Promise<void> {
    const now = clock.now()
    const before = (ms: number) => new Date(now.getTime() - ms)
    const asleep = await database.asSystem('find unwatched demos', async (db) => {
      await putToSleep(db, before(unseenMs), now)
      return sleepingDemos(db, before(settleMs))
    })
    for (const organizationId of asleep) await sleep(organizationId)
  }
  return clock.setInterval(() => {
    round().catch((error: unknown) =>
      log.debug({ err: error }, 'Demos were not put to sleep; the next round tries again'),
    )
  }, roundMs)
}
