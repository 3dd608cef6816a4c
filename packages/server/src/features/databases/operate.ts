import { databaseCan, type DatabaseStatus } from '@bey/contract'

import { act } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import type { Who } from '../secrets/parts.ts'
import { finalBackupChoice } from './backups/final-backup.ts'
import { requireCreated } from './backups/require-created.ts'
import { findRestoreInto, moveRestore } from './backups/restore-rows.ts'
import { type DatabaseParts, type DatabaseWorkflowKey, startDatabaseRun } from './parts.ts'
import { databaseTarget, existing } from './present.ts'
import {
  type DatabaseRow,
  findCreationInput,
  findDatabase,
  listOpenRuns,
  lockDatabase,
  lockOpenRuns,
  moveDatabase,
} from './store.ts'

type Operation = 'create' | 'restart' | 'hibernate' | 'resume'

const operations = {
  create: { workflow: 'database.create', status: 'provisioning', message: 'is created again' },
  restart: { workflow: 'database.restart', status: 'restarting', message: 'is restarted' },
  hibernate: { workflow: 'database.hibernate', status: 'hibernating', message: 'is hibernated' },
  resume: { workflow: 'database.resume', status: 'resuming', message: 'is resumed' },
} as const satisfies Record<
  Operation,
  { workflow: DatabaseWorkflowKey; status: DatabaseStatus; message: string }
>

/** The same for a database on a cluster. */
const onCluster = {
  create: 'database.cluster_create',
  restart: 'database.cluster_restart',
  hibernate: 'database.cluster_hibernate',
  resume: 'database.cluster_resume',
} as const satisfies Record<Operation, DatabaseWorkflowKey>

/** Restart, hibernation, resumption and deletion: a run each, queued with the status that shows it. */
export function createOperations(parts: DatabaseParts) {
  const { database, workflows, clock } = parts

  function start(
    db: Db,
    row: DatabaseRow,
    key: DatabaseWorkflowKey,
    to: DatabaseStatus,
    caller: Who,
    input: Record<string, unknown> = {},
  ) {
    return startDatabaseRun(parts, db, row, key, caller, input).then(async (run) => {
      const moved = await moveDatabase(db, row, [row.status], to, { reason: null }, clock.now())
      if (!moved) throw new Error('The database moved although its row was locked')
      return run
    })
  }

  /** What a restore was to make is restored again, not made empty. */
  async function workflowOf(db: Db, row: DatabaseRow, operation: Operation): Promise<DatabaseWorkflowKey> {
    const { organizationId, id } = row
    const restore = operation === 'create' ? await findRestoreInto(db, organizationId, id) : undefined
    if (restore === undefined) return operations[operation].workflow
    await moveRestore(db, restore, ['failed', 'cancelled'], 'pending', { failure: null, finishedAt: null })
    return 'database.restore'
  }

  return {
    operate: (id: string, operation: Operation, caller: Who) =>
      database.withTenant(caller.organizationId, async (db) => {
        const row = existing(await lockDatabase(db, caller.organizationId, id))
        const refusal = databaseCan[operation](row)
        if (refusal !== undefined) {
          throw new AppError('conflict', `The database "${row.name}" was left alone: ${refusal}`)
        }
        await requireCreated(db, row)
        const { status, message } = operations[operation]
        const workflow = row.provider === 'cnpg' ? onCluster[operation] : await workflowOf(db, row, operation)
        // What it was to be set up with is still asked for.
        const again =
          workflow === 'database.create' ? await findCreationInput(db, caller.organizationId, id) : {}
        const run = await start(db, row, workflow, status, caller, again)
        await act(db, caller, {
          action: workflow,
          class: 'execute',
          target: databaseTarget(row),
          runId: run.runId,
        })
        return keepReply(db, {
          databaseId: id,
          ...run,
          status: 'queued',
          message: `The database "${row.name}" ${message}.`,
        })
      }),

    /** Starts the deletion; what runs on it is cancelled first. Asked twice, answers the run under way. */
    remove: (id: string, caller: Who, finalBackup?: boolean) =>
      database.withTenant(caller.organizationId, async (db) => {
        await lockOpenRuns(db, caller.organizationId, id)
        const row = existing(await lockDatabase(db, caller.organizationId, id))
        const open = await listOpenRuns(db, caller.organizationId, id)
        const current = open.find(({ runId }) => runId === row.lastRunId)
        if (row.status === 'deleting' && current !== undefined) {
          return {
            databaseId: id,
            workflowId: current.workflowId,
            runId: current.runId,
            status: current.status,
            message: `The database "${row.name}" is being deleted already.`,
          }
        }
        const refusal = databaseCan.delete(row)
        if (refusal !== undefined && row.status !== 'deleting') {
          throw new AppError('conflict', `The database "${row.name}" was left alone: ${refusal}`)
        }
        const key = deletionOf(row)
        const choice = await finalBackupChoice(db, row)
        if (finalBackup === true && choice.refusal !== null) {
          throw new AppError(
            'conflict',
            `The database "${row.name}" was not deleted, for it cannot be backed up first: ${choice.refusal}`,
          )
        }
        const input = (finalBackup ?? choice.isDefault) ? { finalBackup: true } : {}
        const run = await start(db, row, key, 'deleting', caller, input)
        for (const { runId } of open) await workflows.cancelRun(db, runId, { userId: caller.user.id })
        await act(db, caller, {
          action: key,
          class: 'delete',
          target: databaseTarget(row),
          runId: run.runId,
          diff: input,
        })
        return keepReply(db, {
          databaseId: id,
          ...run,
          status: 'queued',
          message: `The deletion of "${row.name}" started.`,
        })
      }),

    references: (organizationId: number, id: string) =>
      database.readTenant(organizationId, async (db) => {
        const row = existing(await findDatabase(db, organizationId, id))
        return {
          connections: row.figures?.connections ?? null,
          sizeBytes: row.figures?.sizeBytes ?? null,
          secrets:
            row.credentialSecretId === null || row.secretName === null
              ? []
              : [{ id: row.credentialSecretId, name: row.secretName }],
          runs: await listOpenRuns(db, organizationId, id),
          finalBackup: await finalBackupChoice(db, row),
        }
      }),
  }
}

/** What was there before Bey managed it stays when it is let go. */
function deletionOf({ provider, cnpg }: DatabaseRow): DatabaseWorkflowKey {
  if (provider === 'external' || cnpg?.isAdopted === true) return 'database.disconnect'
  return provider === 'cnpg' ? 'database.cluster_delete' : 'database.delete'
}
