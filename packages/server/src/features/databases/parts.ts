import { databasePlans, effectiveAllowList } from '@bey/contract'

import type { Who } from '../../platform/act.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Credentials } from '../secrets/credentials.ts'
import type { Workflows } from '../workflows/service.ts'
import type { DatabasePlacement, DatabaseProviders, ProviderDatabase } from './provider.ts'
import { type DatabaseRow, updateDatabase } from './store.ts'

/** What the functions of this feature work with. */
export type DatabaseParts = {
  database: Database
  providers: DatabaseProviders
  credentials: Credentials
  workflows: Pick<Workflows, 'startRun' | 'cancelRun'>
  clock: Clock
}

export type DatabaseWorkflowKey =
  | `database.cluster_${'create' | 'restart' | 'change' | 'fail_over' | 'hibernate' | 'resume' | 'delete' | 'backup'}`
  | `database.${'create' | 'restart' | 'update' | 'scale' | 'hibernate' | 'resume' | 'delete' | 'disconnect' | 'restore' | 'restore_table' | 'swap' | 'undo_swap' | 'copy_rows'}`

/** What a provider is given of a row of one that Bey runs. */
export function providerDatabase(row: DatabaseRow): ProviderDatabase {
  const { id, name, databaseName, username } = row
  const allowList = effectiveAllowList(row)
  return { id, name, databaseName, username, allowList, plan: databasePlans[row.plan ?? 'small'] }
}

export function placementOf({ machineId, dir, port }: DatabaseRow): DatabasePlacement | null {
  return machineId === null || dir === null || port === null ? null : { machineId, dir, port }
}

/** Queues a run on a database in the caller's transaction, with the row locked, and makes it the newest. */
export async function startDatabaseRun(
  { workflows }: Pick<DatabaseParts, 'workflows'>,
  db: Db,
  row: Pick<DatabaseRow, 'id' | 'name' | 'organizationId' | 'machineId'>,
  workflowKey: DatabaseWorkflowKey,
  who: Who,
  others: Record<string, unknown> = {},
) {
  const { id, name, organizationId, machineId } = row
  const run = await workflows.startRun(db, {
    organizationId,
    workflowKey,
    subject: { type: 'database', id },
    input: { databaseId: id, name, ...(machineId !== null && { machineId }), ...others },
    trigger: 'manual',
    createdBy: who.user.id,
  })
  await updateDatabase(db, organizationId, id, { lastRunId: run.runId })
  return run
}
