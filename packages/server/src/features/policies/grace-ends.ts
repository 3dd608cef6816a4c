import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Log } from '../../platform/log.ts'
import { readNextGraceEnds } from './store.ts'

type GraceEndParts = {
  database: Pick<Database, 'asSystem' | 'isUp' | 'onUp'>
  live: Pick<Live, 'onAccessEnd' | 'recheckOrganization'>
  clock: Clock
  log: Log
}

/** Timers hold at most 2^31 ms, and an announcement may have been missed: the table is read at least this often. */
const longestWaitMs = 3_600_000
/** Later than the database finds the time reached, whose clock may be a little behind. */
const marginMs = 50

/**
 * Looks again at every open connection of an organization at the moment from which it requires a second factor, in every
 * process: each keeps a timer of its own. Answers what stops it.
 */
export function watchGraceEnds({ database, live, clock, log }: GraceEndParts): () => Promise<void> {
  let cancelTimer = () => {}
  let isStopped = false
  /** The last reading decides: it saw what the ones before saw, and more. */
  let reading = 0
  let planned: Promise<void> = Promise.resolve()

  async function plan(): Promise<void> {
    reading += 1
    const mine = reading
    const next = await database.asSystem('end grace periods', readNextGraceEnds)
    if (isStopped || mine !== reading) return
    cancelTimer()
    const waitMs = next === undefined ? longestWaitMs : Math.max(0, next.inMs) + marginMs
    const isDue = next !== undefined && waitMs <= longestWaitMs
    cancelTimer = clock.setTimeout(
      () => {
        if (isDue) for (const organizationId of next.organizationIds) live.recheckOrganization(organizationId)
        planAgain()
      },
      Math.min(waitMs, longestWaitMs),
    )
  }

  function planAgain(): void {
    if (isStopped || !database.isUp()) return
    planned = plan().catch((error: unknown) =>
      log.warn({ err: error }, 'Ends of grace periods were not read; connections are looked at every minute'),
    )
  }

  const stopListening = live.onAccessEnd(({ kind }) => {
    if (kind === 'organization') planAgain()
  })
  const stopWaiting = database.onUp(planAgain)
  planAgain()
  return async () => {
    isStopped = true
    cancelTimer()
    stopListening()
    stopWaiting()
    await planned
  }
}
