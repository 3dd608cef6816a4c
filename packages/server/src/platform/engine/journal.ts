import type { Db } from '../db/database.ts'
import { statement } from '../db/prepared.ts'
import type { RunEvent } from './interpreter.ts'

/** What DBOS has recorded of one execution of a run, read and written in the transactions that change its rows. */
export type Journal = {
  /** The events so far, in their order. Called once, before the first is recorded. */
  read(db: Db): Promise<RunEvent[]>
  /**
   * Records the next event; answers what is recorded in its place, which is an earlier one if a commit succeeded without
   * its confirmation. Fails the transaction with `isExecutedElsewhere` when the run was handed on.
   */
  record(db: Db, event: RunEvent): Promise<RunEvent>
  /** The transaction of the last event is committed. */
  confirm(): void
}

/** `owner` is the token of the execution, `application` what DBOS calls this one. */
export function createJournal(runId: string, owner: string, application: string): Journal {
  let position = 0
  return {
    async read(db) {
      const rows = await readEvents(db, [runId, owner])
      position = (rows.at(-1)?.position ?? -1) + 1
      return rows.map(({ event }) => event)
    },
    async record(db, event) {
      const name = String(event['key'] ?? event['result'] ?? '')
      const [row] = await recordEvent(db, [runId, owner, position, name, JSON.stringify(event), application])
      return row?.event ?? event
    },
    confirm() {
      position += 1
    },
  }
}

/** Whether a transaction failed because another execution owns the run now. */
export function isExecutedElsewhere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'BEY01'
}

const readEvents = statement<{ position: number; event: RunEvent }>(
  'run_events',
  'select position, event from run_events($1, $2)',
)

const recordEvent = statement<{ event: RunEvent }>(
  'record_run_event',
  'select record_run_event($1, $2, $3, $4, $5, $6) as event',
)
