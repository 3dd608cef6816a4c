import { databaseCan, type ParsedInput, volumeRefusal } from '@bey/contract'

import { act, type Member } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { requireCreated } from '../backups/require-created.ts'
import { type DatabaseParts, type DatabaseWorkflowKey, startDatabaseRun } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { type DatabaseRow, lockDatabase, moveDatabase } from '../store.ts'

type Change = ParsedInput<'databases.changeCluster'>['body']
type FailOver = ParsedInput<'databases.failOver'>['body']

/** Changes of databases on clusters: a run each, queued with the status that shows it. Throws AppError `conflict`. */
export function createClusterChanges(parts: DatabaseParts) {
  const { database, clock } = parts

  async function start(db: Db, row: DatabaseRow, { key, to, input, message }: Start, caller: Member) {
    await requireCreated(db, row)
    const run = await startDatabaseRun(parts, db, row, key, caller, input)
    if (!(await moveDatabase(db, row, [row.status], to, { reason: null }, clock.now()))) {
      throw new Error('The database moved although its row was locked')
    }
    await act(db, caller, {
      action: key,
      class: 'execute',
      diff: input,
      target: databaseTarget(row),
      runId: run.runId,
    })
    return keepReply(db, { databaseId: row.id, ...run, status: 'queued', message })
  }

  return {
    change: (id: string, change: Change, caller: Member) =>
      database.withTenant(caller.organizationId, async (db) => {
        const row = existing(await lockDatabase(db, caller.organizationId, id))
        const { instances, storage, parameters } = change
        const known = row.cnpg?.observed
        const refusal =
          databaseCan.changeCluster(row) ??
          (storage === undefined ? undefined : volumeRefusal(known?.storage ?? null, storage))
        if (refusal !== undefined) throw leftAlone(row, refusal)
        const isScaling = storage === undefined && parameters === undefined && instances !== undefined
        return start(
          db,
          row,
          {
            key: 'database.cluster_change',
            to: isScaling ? 'scaling' : 'updating',
            input: change,
            message: `The database "${row.name}" is changed.`,
          },
          caller,
        )
      }),

    failOver: (id: string, { to }: NonNullable<FailOver>, caller: Member) =>
      database.withTenant(caller.organizationId, async (db) => {
        const row = existing(await lockDatabase(db, caller.organizationId, id))
        const { instanceNames = [], primary = null } = row.cnpg?.observed ?? {}
        const refusal =
          databaseCan.failOver(row, instanceNames.length) ??
          (to === undefined || instanceNames.includes(to)
            ? undefined
            : `It has no instance "${to}". Its instances are ${instanceNames.join(', ')}.`) ??
          (to !== undefined && to === primary ? `"${to}" is the primary already.` : undefined)
        if (refusal !== undefined) throw leftAlone(row, refusal)
        return start(
          db,
          row,
          {
            key: 'database.cluster_fail_over',
            to: 'failing_over',
            input: to === undefined ? {} : { to },
            message: `Another instance of "${row.name}" becomes the primary.`,
          },
          caller,
        )
      }),
  }
}

type Start = {
  key: DatabaseWorkflowKey
  to: 'updating' | 'scaling' | 'failing_over'
  input: Record<string, unknown>
  message: string
}

const leftAlone = ({ name }: DatabaseRow, refusal: string) =>
  new AppError('conflict', `The database "${name}" was left alone: ${refusal}`)
