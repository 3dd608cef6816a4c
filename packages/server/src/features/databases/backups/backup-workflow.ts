import { walFileName } from '@bey/contract'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { StepContext, WorkflowDefinition } from '../../workflows/definition/definition.ts'
import { placementOf } from '../parts.ts'
import type { DatabasePlacement } from '../provider.ts'
import { databaseIdOf } from '../run-moves.ts'
import { type DatabaseRow, findDatabase } from '../store.ts'
import { type BackupRow, findBackup, moveBackup, updateBackup } from './backup-rows.ts'
import { announceBackup, type BackupParts } from './backup-parts.ts'
import { onBackupMove } from './backup-moves.ts'
import { compressed } from './compressed.ts'
import { backupKey } from './object-keys.ts'
import { findPolicy } from './policy.ts'
import { stepsOf } from './steps.ts'
import { countSegments } from './wal-rows.ts'

type Subject = { row: DatabaseRow; backup: BackupRow; placement: DatabasePlacement }

const walPatienceMs = 300_000

/** A base backup as a run: its files, then the WAL that makes them consistent. It is completed only with both. */
export function backupWorkflow(parts: BackupParts): WorkflowDefinition {
  const { database, providers, openStore, archiver, clock } = parts

  const step = stepsOf(subjectOf)

  async function subjectOf({ run }: StepContext): Promise<Subject> {
    const { organizationId, input } = run
    return database.readTenant(organizationId, async (db) => {
      const row = await findDatabase(db, organizationId, databaseIdOf(run))
      const backup = await findBackup(db, organizationId, String(input['backupId']))
      const placement = row && placementOf(row)
      if (row === undefined || backup === undefined || placement == null) {
        throw new Error('The database or the backup of this run is gone')
      }
      return { row, backup, placement }
    })
  }

  const check = step('check', 'Check the store', async (context, { row, backup }) => {
    const { organizationId } = context.run
    const store = await openStore(organizationId, backup.targetId)
    await store.check()
    const storeKey = backupKey(organizationId, row.id, backup.id)
    await database.withTenant(organizationId, async (db) => {
      const values = { startedAt: clock.now(), place: store.place, storeKey }
      // Before anything is written there: whatever interrupts the run, what it left is found.
      if (!(await moveBackup(db, backup, ['pending'], 'running', values))) return
      await announceBackup(db, organizationId, row.id)
    })
    context.log(`The backup goes to ${store.place}.`)
    return undefined
  })

  const copy = step('copy', 'Copy the files', async (context, { row, backup, placement }) => {
    const { organizationId } = context.run
    const store = await openStore(organizationId, backup.targetId)
    const key = backupKey(organizationId, row.id, backup.id)
    const expectedBytes = Math.max(1, row.figures?.sizeBytes ?? 0)
    const options = {
      label: `bey ${backup.id}`,
      signal: context.signal,
      onCopied: (bytes: number) => context.progress(Math.min(99, Math.floor((bytes / expectedBytes) * 100))),
    }
    const { facts, stored } = await providers.embedded.files.backUp(placement, options, (tar) =>
      store.put(key, compressed(tar), context.signal),
    )
    const { copiedBytes, consistentAt, ...place } = facts
    await database.withTenant(organizationId, (db) =>
      updateBackup(db, organizationId, backup.id, {
        ...place,
        consistentAt,
        sizeBytes: copiedBytes,
        storedBytes: stored.storedBytes,
        sha256: stored.sha256,
      }),
    )
    context.log(`Copied ${mib(copiedBytes)} of files, which take ${mib(stored.storedBytes)} in the store.`)
    return undefined
  })

  const archive = step('archive', 'Store its WAL', async (context, { row, backup }) => {
    const { organizationId } = context.run
    const { timeline, startSegment, stopSegment } = backup
    if (timeline === null || startSegment === null || stopSegment === null) {
      throw new Error('The backup has no place in the WAL')
    }
    await database.withTenant(organizationId, async (db) => {
      if (await moveBackup(db, backup, ['running'], 'finalizing')) {
        await announceBackup(db, organizationId, row.id)
      }
    })
    const range = { timeline, first: startSegment, last: stopSegment }
    const neededCount = stopSegment - startSegment + 1
    const untilMs = clock.monotonicMs() + walPatienceMs
    for (;;) {
      const { problem } = await archiver.round(row)
      const count = await database.readTenant(organizationId, (db) =>
        countSegments(db, organizationId, row.id, range),
      )
      if (count === neededCount) break
      if (clock.monotonicMs() > untilMs) {
        throw new StepFailure(
          `${neededCount - count} of ${neededCount} segments of its WAL did not reach the store${problem === null ? '' : `: ${problem}`}`,
        )
      }
      await context.sleep(500)
    }
    context.log(
      `Its WAL is in the store: ${nameOf(timeline, startSegment)} to ${nameOf(timeline, stopSegment)}.`,
    )
    return undefined
  })

  const finish = step('finish', 'Complete', async (context, { row, backup }) => {
    const { organizationId } = context.run
    await database.withTenant(organizationId, async (db) => {
      const { retentionDays } = await findPolicy(db, organizationId, row.id)
      const finishedAt = clock.now()
      const expiresAt = new Date(finishedAt.getTime() + retentionDays * 86_400_000)
      if (!(await moveBackup(db, backup, ['finalizing'], 'completed', { finishedAt, expiresAt }))) return
      await announceBackup(db, organizationId, row.id)
    })
    return { backupId: backup.id }
  })

  return {
    key: 'database.backup',
    name: 'Back up database',
    description:
      'Copies the files of a running database and the WAL that makes them consistent to its store.',
    type: 'data',
    cancelPermission: 'databases.backup',
    steps: [check, copy, archive, finish],
    onMove: onBackupMove(clock),
  }
}

const nameOf = (timeline: number, number: number) => walFileName({ timeline, number })
const mib = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MiB`
