import { databasePlans, type RestoreStatus } from '@bey/contract'
import type { Client } from 'pg'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { RestoredTable } from '../../../../tables/database-restores.ts'
import type { StepContext, WorkflowDefinition } from '../../../workflows/definition/definition.ts'
import { openEmbedded } from '../../open-connection.ts'
import type { DatabasePlacement, ProviderDatabase } from '../../provider.ts'
import { databaseIdOf } from '../../run-moves.ts'
import { openSession } from '../../sql/open-session.ts'
import { readerName } from '../../sql/reader-role.ts'
import { type DatabaseRow, findDatabase } from '../../store.ts'
import { announceBackup, type BackupParts } from '../backup-parts.ts'
import { bringMoment } from '../bring-moment.ts'
import type { RecoveryTarget } from '../database-files.ts'
import { drillPlacement, drillServer, removeDrillServer } from '../drill-server.ts'
import { openReader } from '../open-reader.ts'
import { findRestore, moveRestore, type RestoreRow, updateRestore } from '../restore-rows.ts'
import { chooseBackup, fetchWal, openBackup, requireBackup } from '../restore-source.ts'
import { type StepWork, stepsOf } from '../steps.ts'
import { onTableRestoreMove } from './restore-table-moves.ts'
import { endOf, restoreTable } from './restore-table.ts'

type Subject = { restore: RestoreRow; table: RestoredTable; source: DatabaseRow; server: ProviderDatabase }

/** How long a transaction of a process that was killed may go on in the server. */
const patienceMs = 120_000
const pauseMs = 500

/**
 * One table of a moment, in the database that runs: the moment is restored into a server that is removed again, and the table
 * is copied from there in one transaction.
 */
export function restoreTableWorkflow(parts: BackupParts): WorkflowDefinition {
  const { database, providers, openStore, clock } = parts
  const { embedded } = providers

  const plainStep = stepsOf(subjectOf)
  const step = (key: string, name: string, work: StepWork<Subject>) =>
    plainStep(key, name, async (context, subject) => {
      try {
        return await work(context, subject)
      } catch (error) {
        await removeServer(subject.restore)
        throw error
      }
    })

  /** What is not removed now, the next look at the database removes. */
  async function removeServer({ organizationId, id }: RestoreRow): Promise<void> {
    const now = await database.readTenant(organizationId, (db) => findRestore(db, organizationId, id))
    if (now !== undefined) await removeDrillServer(parts, now).catch(() => undefined)
  }

  async function subjectOf({ run }: StepContext): Promise<Subject> {
    const { organizationId, input } = run
    return database.readTenant(organizationId, async (db) => {
      const restore = await findRestore(db, organizationId, String(input['restoreId']))
      const source = await findDatabase(db, organizationId, databaseIdOf(run))
      if (restore?.restoredTable == null || source === undefined)
        throw new Error('The database or the restore of this run is gone')
      return { restore, table: restore.restoredTable, source, server: drillServer(restore, source) }
    })
  }

  async function advance({ restore }: Subject, from: RestoreStatus, to: RestoreStatus): Promise<void> {
    const { organizationId, databaseId } = restore
    await database.withTenant(organizationId, async (db) => {
      if (await moveRestore(db, restore, [from], to)) await announceBackup(db, organizationId, databaseId)
    })
  }

  const update = ({ organizationId, id }: RestoreRow, values: Parameters<typeof updateRestore>[3]) =>
    database.withTenant(organizationId, (db) => updateRestore(db, organizationId, id, values))

  const prepare = step('prepare', 'Choose the backup', async (context, subject) => {
    const { restore, source } = subject
    const { organizationId, targetTime } = restore
    await advance(subject, 'pending', 'preparing')
    if (targetTime !== null) await bringMoment(parts, context, source, targetTime)
    const found = await database.readTenant(organizationId, (db) =>
      chooseBackup(db, organizationId, source.id, { targetTime, backupId: restore.backupId }),
    )
    if (found.backup === undefined) throw new StepFailure(found.refusal)
    context.log(`Base backup of ${found.backup.consistentAt?.toISOString() ?? ''}.`)
    await update(restore, { backupId: found.backup.id })
    return undefined
  })

  const reserve = step('reserve', 'Reserve memory', async (context, { restore, server }) => {
    const placement = await embedded.choosePlacement(restore.id, drillPlacement(restore))
    // Before anything is made there: whatever interrupts the run, what it left is found.
    await update(restore, placement)
    await embedded.reserve(server, placement, context)
    return undefined
  })

  const unpack = step('unpack', 'Restore the files', async (context, subject) => {
    await advance(subject, 'preparing', 'restoring')
    const begunMs = clock.monotonicMs()
    const backup = await backupOf(subject)
    await embedded.files.unpack(placed(subject), () => openBackup(openStore, backup, context.signal))
    await update(subject.restore, { restoreMs: Math.round(clock.monotonicMs() - begunMs) })
    return undefined
  })

  const replay = step('replay', 'Replay the WAL', async (context, subject) => {
    await advance(subject, 'restoring', 'replaying')
    const { restore, server, source } = subject
    const { targetTime } = restore
    const placement = placed(subject)
    const begunMs = clock.monotonicMs()
    const backup = await backupOf(subject)
    const wal = { database, openStore, embedded }
    await fetchWal(wal, placement, backup, targetTime ?? 'immediate', context.signal)
    const target: RecoveryTarget = targetTime === null ? 'immediate' : { time: targetTime }
    const { maxConnections } = databasePlans[source.plan ?? 'small']
    const { reachedAt } = await embedded.files.recover(server, placement, target, maxConnections, context)
    await update(restore, { replayMs: Math.round(clock.monotonicMs() - begunMs), reachedAt })
    return undefined
  })

  const copy = step('copy', 'Copy the table', async (context, subject) => {
    await advance(subject, 'replaying', 'copying')
    const { restore, table, source, server } = subject
    const live = await openSession(parts, source, 'write', `bey-restore ${restore.id}`)
    try {
      if (table.xid !== null && (await wasCommitted(context, live, table.xid))) {
        context.log('The rows were there already: the process ended after it had written them.')
        return outputOf(table)
      }
      await embedded.start(server, placed(subject))
      const restored = await openCopy(subject)
      try {
        const moment = restore.targetTime ?? restore.createdAt
        const result = await restoreTable(
          { restored, live },
          table,
          moment,
          (xid, written) => update(restore, { restoredTable: { ...table, ...written, xid } }),
          { log: (line) => context.log(line), signal: context.signal },
        )
        context.log(`"${table.schema}.${result.into}" has ${result.rows} rows.`)
        return outputOf({ ...table, ...result })
      } finally {
        restored.end().catch(() => undefined)
      }
    } finally {
      live.end().catch(() => undefined)
    }
  })

  /** Whether an interrupted attempt wrote everything: its transaction did, or it is awaited until it did not. */
  async function wasCommitted({ sleep }: StepContext, live: Client, xid: string): Promise<boolean> {
    const untilMs = clock.monotonicMs() + patienceMs
    for (;;) {
      const end = await endOf(live, xid)
      if (end !== 'under way') return end === 'committed'
      if (clock.monotonicMs() > untilMs)
        throw new StepFailure('An earlier attempt still holds the table. End its session, and begin again.')
      await sleep(pauseMs)
    }
  }

  /** Opens the restored copy as a role that reads every row, also those that row security hides, and owns nothing. */
  async function openCopy(subject: Subject): Promise<Client> {
    const { databaseName } = subject.server
    const reader = await openReader(embedded, placed(subject), databaseName)
    const admin = await openEmbedded(embedded, placed(subject), databaseName)
    try {
      await admin.query(`alter role ${readerName} bypassrls`)
    } finally {
      await admin.end()
    }
    return reader
  }

  const remove = step('remove', 'Remove the server', async (context, { restore }) => {
    context.log((await removeDrillServer(parts, restore)) ?? 'There is no server any more.')
    return undefined
  })

  const backupOf = ({ restore }: Subject) =>
    requireBackup(database, restore.organizationId, restore.backupId ?? '')

  return {
    key: 'database.restore_table',
    name: 'Restore one table',
    description: 'Copies one table as it was at a moment into the database that runs, in one transaction.',
    type: 'data',
    cancelPermission: 'databases.restore',
    steps: [prepare, reserve, unpack, replay, copy, remove],
    onMove: onTableRestoreMove(clock),
  }
}

const outputOf = ({ schema, into, rows }: Pick<RestoredTable, 'schema' | 'into' | 'rows'>) => ({
  schema,
  table: into,
  rows,
})

function placed({ restore }: Subject): DatabasePlacement {
  const placement = drillPlacement(restore)
  if (placement === null) throw new Error('No place was chosen for the server')
  return placement
}
