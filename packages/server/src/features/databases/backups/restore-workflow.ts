import { type DatabaseCheck, databasePlans, type RestoreStatus } from '@bey/contract'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { StepContext, WorkflowDefinition } from '../../workflows/definition/definition.ts'
import { measureOnce } from '../measure.ts'
import { openEmbedded } from '../open-connection.ts'
import { placementOf, providerDatabase } from '../parts.ts'
import type { DatabasePlacement, ProviderDatabase } from '../provider.ts'
import { databaseIdOf } from '../run-moves.ts'
import { type DatabaseRow, findDatabase, updateDatabase } from '../store.ts'
import { openSession } from '../sql/open-session.ts'
import { announceBackup, type BackupParts } from './backup-parts.ts'
import { bringMoment } from './bring-moment.ts'
import type { RecoveryTarget } from './database-files.ts'
import { findPolicy } from './policy.ts'
import { runChecks } from './restore-checks.ts'
import { onRestoreMove } from './restore-moves.ts'
import { findRestoreInto, moveRestore, type RestoreRow, updateRestore } from './restore-rows.ts'
import { chooseBackup, fetchWal, openBackup, requireBackup } from './restore-source.ts'
import { stepsOf } from './steps.ts'

type Subject = { row: DatabaseRow; server: ProviderDatabase; restore: RestoreRow; source: DatabaseRow }

/** A new database of the backups of another one: files, WAL until the moment, a password of its own, checks. */
export function restoreWorkflow(parts: BackupParts): WorkflowDefinition {
  const { database, providers, openStore, credentials, clock } = parts
  const { embedded } = providers

  const step = stepsOf(subjectOf)

  async function subjectOf({ run }: StepContext): Promise<Subject> {
    const { organizationId } = run
    return database.readTenant(organizationId, async (db) => {
      const row = await findDatabase(db, organizationId, databaseIdOf(run))
      const restore = row && (await findRestoreInto(db, organizationId, row.id))
      const source = restore && (await findDatabase(db, organizationId, restore.databaseId))
      if (row === undefined || restore === undefined || source === undefined) {
        throw new Error('The database of this run is gone')
      }
      return { row, server: providerDatabase(row), restore, source }
    })
  }

  /** Moves the restore on; a step that is executed again finds it moved. */
  async function advance(
    { restore }: Subject,
    from: RestoreStatus,
    to: RestoreStatus,
    values: Parameters<typeof updateRestore>[3] = {},
  ): Promise<void> {
    const { organizationId, databaseId } = restore
    await database.withTenant(organizationId, async (db) => {
      if (await moveRestore(db, restore, [from], to, values)) {
        await announceBackup(db, organizationId, databaseId)
      }
    })
  }

  const prepare = step('prepare', 'Choose the backup', async (context, subject) => {
    const { restore, source } = subject
    const { organizationId, targetTime } = restore
    await advance(subject, 'pending', 'preparing')
    if (targetTime !== null) await bringMoment(parts, context, source, targetTime)
    const wish = { targetTime, backupId: restore.backupId }
    const found = await database.readTenant(organizationId, (db) =>
      chooseBackup(db, organizationId, source.id, wish),
    )
    if (found.backup === undefined) throw new StepFailure(found.refusal)
    const { backup } = found
    context.log(`Base backup of ${backup.consistentAt?.toISOString() ?? ''}, from ${backup.place ?? ''}.`)
    await database.withTenant(organizationId, (db) =>
      updateRestore(db, organizationId, restore.id, { backupId: backup.id }),
    )
    return { backupId: backup.id }
  })

  const reserve = step('reserve', 'Reserve memory', async (context, { row, server }) => {
    const placement = await embedded.choosePlacement(row.id, placementOf(row))
    const { organizationId } = context.run
    await database.withTenant(organizationId, (db) =>
      updateDatabase(db, organizationId, row.id, { ...placement, host: '127.0.0.1' }),
    )
    await embedded.reserve(server, placement, context)
    return { port: placement.port }
  })

  const unpack = step('unpack', 'Restore the files', async (context, subject) => {
    const backup = await backupOf(context, subject)
    await advance(subject, 'preparing', 'restoring')
    const begunMs = clock.monotonicMs()
    await embedded.files.unpack(placed(subject.row), () => openBackup(openStore, backup, context.signal))
    const restoreMs = Math.round(clock.monotonicMs() - begunMs)
    await database.withTenant(backup.organizationId, (db) =>
      updateRestore(db, backup.organizationId, subject.restore.id, { restoreMs }),
    )
    context.log(`The files are there after ${seconds(restoreMs)}.`)
    return undefined
  })

  const replay = step('replay', 'Replay the WAL', async (context, subject) => {
    const { row, server, restore, source } = subject
    const backup = await backupOf(context, subject)
    const placement = placed(row)
    await advance(subject, 'restoring', 'replaying')
    const begunMs = clock.monotonicMs()
    const wal = { database, openStore, embedded }
    const count = await fetchWal(wal, placement, backup, restore.targetTime ?? 'immediate', context.signal)
    context.log(`Replays up to ${count} segments of WAL.`)
    const target: RecoveryTarget = restore.targetTime === null ? 'immediate' : { time: restore.targetTime }
    // A server that follows refuses fewer connections than the one had that it follows.
    const sourcePlan = databasePlans[source.plan ?? 'small']
    const maxConnections = Math.max(server.plan.maxConnections, sourcePlan.maxConnections)
    const { reachedAt } = await embedded.files.recover(server, placement, target, maxConnections, context)
    const replayMs = Math.round(clock.monotonicMs() - begunMs)
    await database.withTenant(backup.organizationId, (db) =>
      updateRestore(db, backup.organizationId, restore.id, { replayMs, reachedAt }),
    )
    context.log(
      reachedAt === null
        ? 'No transaction after the base backup was replayed.'
        : `The last transaction that came back was committed at ${reachedAt.toISOString()}.`,
    )
    return undefined
  })

  const start = step('start', 'Start the server', async (context, { row, server }) => {
    const { pid } = await embedded.start(server, placed(row))
    context.log(`The server listens on 127.0.0.1:${placed(row).port} (process ${pid}).`)
    return { pid }
  })

  const setUp = step('set_up', 'Give its owner a new password', async (context, { row, server }) => {
    const { organizationId } = context.run
    const secretId = row.credentialSecretId
    if (secretId === null) throw new StepFailure('The secret with its password is gone. Delete the database.')
    const { password, version } = await credentials.read(organizationId, secretId)
    await embedded.setUp(server, placed(row), password)
    await database.withTenant(organizationId, async (db) => {
      await updateDatabase(db, organizationId, row.id, { credentialVersion: version })
      await credentials.recordUse(db, organizationId, secretId, version, row)
    })
    return undefined
  })

  const validate = step('validate', 'Check what came back', async (context, subject) => {
    const { row, restore, source } = subject
    const { organizationId } = restore
    await advance(subject, 'replaying', 'validating')
    const begunMs = clock.monotonicMs()
    const { checks: wanted } = await database.readTenant(organizationId, (db) =>
      findPolicy(db, organizationId, source.id),
    )
    const checks = await check(row, wanted)
    for (const { name, outcome, detail } of checks) context.log(`${name}: ${outcome}. ${detail ?? ''}`)
    const connection = await openEmbedded(embedded, placed(row), row.databaseName)
    const { version, figures } = await measureOnce(connection, null, clock.now())
    const validateMs = Math.round(clock.monotonicMs() - begunMs)
    await database.withTenant(organizationId, async (db) => {
      await updateDatabase(db, organizationId, row.id, { version, figures })
      await updateRestore(db, organizationId, restore.id, { checks, validateMs })
    })
    context.log(`PostgreSQL ${version} answers.`)
    return { version }
  })

  async function check(row: DatabaseRow, wanted: readonly DatabaseCheck[]) {
    if (wanted.length === 0) return []
    // It answers, although it is not available before this step is over.
    const client = await openSession(parts, { ...row, status: 'available' }, 'read', 'bey-check')
    try {
      return await runChecks(client, wanted, () => clock.monotonicMs())
    } finally {
      await client.end()
    }
  }

  const backupOf = ({ outputs }: StepContext, { restore }: Subject) =>
    requireBackup(database, restore.organizationId, String(outputs['prepare']?.['backupId']))

  return {
    key: 'database.restore',
    name: 'Restore database',
    description: 'Makes a new database of the backups of another one, as it was at a moment.',
    type: 'data',
    cancelPermission: 'databases.restore',
    steps: [prepare, reserve, unpack, replay, start, setUp, validate],
    onMove: onRestoreMove(clock),
  }
}

function placed(row: DatabaseRow): DatabasePlacement {
  const placement = placementOf(row)
  if (placement === null) throw new Error('No place was chosen for the server')
  return placement
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
