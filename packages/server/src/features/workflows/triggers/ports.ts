import type { Clock } from '../../../platform/clock.ts'
import type { DataKeys } from '../../../platform/crypto/data-keys.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Workflows } from '../service.ts'

export type StartTriggered = Workflows['startWorkflowRun']

export type TriggerParts = {
  database: Database
  dataKeys: DataKeys
  clock: Clock
  log: Log
  startRun: StartTriggered
  /** Asks a run to stop, without a person who asks. */
  cancelRun(db: Db, runId: string): Promise<unknown>
}
