import type { Db } from '../db/database.ts'
import { statement } from '../db/prepared.ts'
import { engineChannel } from './presence.ts'

/** What any process may ask of the processes that execute runs, in the transaction that decides it. */
export type EngineRequests = {
  /**
   * Hands a queued run to the engine inside the transaction that made it: it starts soon after the commit, in
   * whichever process is free, and never if the transaction is rolled back.
   */
  enqueue(db: Db, runId: string): Promise<void>
  /** Asks the process that executes the run to stop it, once the transaction is committed. */
  requestCancel(db: Db, runId: string): Promise<void>
  /** Lets a run that waits look at its rows once the transaction is committed. */
  wakeRun(db: Db, runId: string): Promise<void>
}

export const engineRequests: EngineRequests = {
  async enqueue(db) {
    await notifyEngine(db, [engineChannel, 'wake'])
  },
  async requestCancel(db, runId) {
    await notifyEngine(db, [engineChannel, `cancel:${runId}`])
  },
  wakeRun,
}

const notifyEngine = statement('engine_notify', 'select pg_notify($1, $2)')

// The time is for the sweep: a notification that nobody received is made up for. A run that is locked is at work.
/** Lets a run that waits look at its rows once the transaction is committed, whichever process holds it. */
export async function wakeRun(db: Db, runId: string): Promise<void> {
  await notifyRun(db, [runId, engineChannel])
}

const notifyRun = statement(
  'engine_wake_run',
  `with run as (
    update workflow_runs set wake_requested_at = now()
    where id = (select id from workflow_runs where id = $1 and finished_at is null for update skip locked)
  )
  select pg_notify($2, 'run:' || $1::text)`,
)
