import type { Config } from '../../../config.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { whileLocked } from '../../../platform/db/locks.ts'
import type { Log } from '../../../platform/log.ts'
import {
  beginBackup,
  completeBackup,
  deleteOldRows,
  failBackup,
  failInterrupted,
  lastDrilled,
  lastScheduled,
  markRemoved,
  newestKept,
  newestProved,
  recordDrill,
} from './backup-rows.ts'
import type { InstanceBackupRunner } from './runner.ts'

const lookEveryMs = 20_000

export type RoundParts = {
  database: Pick<Database, 'asSystem' | 'ownerPool'>
  clock: Clock
  log: Log
  config: Pick<Config['instanceBackup'], 'schedule' | 'drillSchedule' | 'keep'>
  /** When a schedule comes next after an instant; null: never. */
  nextTime(schedule: string, after: Date): Date | null
}

/**
 * Backs Bey up by its schedule, removes what is too old, and restores the newest one by the schedule of drills. What was due while
 * no server ran is done once, at the next start; of several servers one does it. `look` is called by the clock, and by tests.
 */
export function startBackupRounds(parts: RoundParts, runner: InstanceBackupRunner) {
  const { database, clock, log, config, nextTime } = parts
  const abort = new AbortController()
  const startedAt = clock.now()
  const system = <T>(work: Parameters<typeof database.asSystem<T>>[1]) =>
    database.asSystem('backups of the instance', work)
  let looking: Promise<void> | undefined

  const isDue = (schedule: string | undefined, last: Date | undefined) => {
    if (schedule === undefined) return false
    const next = nextTime(schedule, last ?? startedAt)
    return next !== null && next <= clock.now()
  }

  async function round(): Promise<void> {
    // Whoever began one that still runs is gone: it would hold the lock.
    await system((db) => failInterrupted(db, clock.now()))
    if (isDue(config.schedule, await system(lastScheduled))) await backUp()
    if (abort.signal.aborted) return
    if (isDue(config.drillSchedule, await system(lastDrilled))) await drill()
  }

  async function backUp(): Promise<void> {
    const id = await system((db) => beginBackup(db, runner.place, clock.now()))
    try {
      const made = await runner.backUp(abort.signal)
      await system((db) => completeBackup(db, id, made, clock.now()))
    } catch (error) {
      log.error({ err: error }, 'Bey was not backed up')
      const why = error instanceof Error ? error.message : String(error)
      await system((db) => failBackup(db, id, why, clock.now()))
      return
    }
    const proved = await system(newestProved)
    const locked = proved?.backupId ?? undefined
    const removed = await runner.removeOld(config.keep, locked === undefined ? [] : [locked])
    await system(async (db) => {
      await markRemoved(db, removed, clock.now())
      await deleteOldRows(db, clock.now())
    })
  }

  async function drill(): Promise<void> {
    const newest = await system(newestKept)
    if (newest === undefined || newest.backupId === null) return
    const beganMs = clock.monotonicMs()
    const result = await runner.drill(newest.backupId, abort.signal)
    // Stopping the server says nothing about the backup.
    if (abort.signal.aborted) return
    const took = { at: clock.now(), ms: clock.monotonicMs() - beganMs }
    await system((db) => recordDrill(db, newest.id, result, took))
    if (result.outcome !== 'proved') {
      log.error({ backup: newest.backupId, ...result }, 'The backup of Bey was not proved')
    }
  }

  /** Does what is due; one call at a time. */
  function look(): Promise<void> {
    looking ??= whileLocked(database.ownerPool, 'instanceBackup', round)
      .catch((error: unknown) => log.warn({ err: error }, 'Backups of Bey could not be looked after'))
      .finally(() => (looking = undefined))
    return looking
  }

  const cancel = clock.setInterval(() => void look(), lookEveryMs)
  return {
    look,
    async stop(): Promise<void> {
      cancel()
      abort.abort(new Error('The server was stopped.'))
      await looking
    },
  }
}
