import { currentOwnerXid } from '@dbos-inc/dbos-sdk/internal/context'
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import { ensureSystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database'
import { GlobalLogger } from '@dbos-inc/dbos-sdk/internal/telemetry/logs'
import { dbRetryConfig } from '@dbos-inc/dbos-sdk/internal/utils'
import { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue'

/**
 * Everything of DBOS that Bey touches without it being promised by DBOS. `dbos-internals.test.ts` holds each part to the version
 * of `testedVersion`: whoever raises the version reads that test first.
 *
 * - The token of an execution, by which the database refuses one that was handed on: `currentOwnerXid`.
 * - The executor, for what has no public call: runs of a dead process, and the end of taking runs.
 * - Its tables, which two functions of `platform/db/access.sql` read and write: `tables`.
 * - Pauses that are too long for runs that people wait for, and questions that Bey never needs: `tuneDbos`.
 * - The making of its tables without a start, for a database that is moved into: `ensureSystemDatabase`.
 */
export const testedVersion = '5.3.0'

/** Columns of DBOS that `run_events` and `record_run_event` name. */
export const tables = {
  workflow_status: ['workflow_uuid', 'status', 'owner_xid'],
  operation_outputs: [
    'workflow_uuid',
    'function_id',
    'function_name',
    'output',
    'serialization',
    'application_name',
    'started_at_epoch_ms',
    'completed_at_epoch_ms',
    'retention_timestamp',
  ],
} as const

export function tuneDbos(): void {
  // DBOS waits up to a minute between two tries, long after the database is back.
  Object.assign(dbRetryConfig, { initialBackoffSec: 0.2, maxBackoffSec: 2 })
  // Each second it would ask for queues of other names and for delayed workflows, and Bey makes neither.
  Object.assign(wfQueueRunner.constructor, { reconcileIntervalMs: 60_000, transitionIntervalMs: 60_000 })
}

export { currentOwnerXid, DBOSExecutor, dbRetryConfig, ensureSystemDatabase, GlobalLogger, wfQueueRunner }
