import {
  momentRefusal,
  overPromiseMs,
  recoverableWindow,
  recoveryMs,
  type RestoreStatus,
  walSegmentBytes,
} from '@bey/contract'

import { BackupStoreProblem } from '../../../platform/backups/backup-store-problem.ts'
import { isFull } from '../../../platform/disk-full.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { StepContext, WorkflowDefinition } from '../../workflows/definition/definition.ts'
import type { DatabasePlacement, ProviderDatabase } from '../provider.ts'
import { databaseIdOf } from '../run-moves.ts'
import { type DatabaseRow, findDatabase } from '../store.ts'
import { announceBackup, type BackupParts } from './backup-parts.ts'
import { moveBackup } from './backup-rows.ts'
import { onDrillMove } from './drill-moves.ts'
import { drillPlacement, drillServer, removeDrillServer } from './drill-server.ts'
import { randomTarget } from './drill-target.ts'
import { openReader } from './open-reader.ts'
import { findPolicy } from './policy.ts'
import { runChecks } from './restore-checks.ts'
import { findRestore, moveRestore, type RestoreRow, updateRestore } from './restore-rows.ts'
import { chooseBackup, fetchWal, openBackup, requireBackup } from './restore-source.ts'
import { type StepWork, stepsOf } from './steps.ts'
import { findRecoverable } from './window.ts'

type Subject = { drill: RestoreRow; source: DatabaseRow; server: ProviderDatabase }

/**
 * A restore into a server that is removed again: a random second of the last day, the checks of the owner, and how long it
 * took. `provesFailure`: a step that people can do nothing about but mend the backup.
 */
export function drillWorkflow(parts: BackupParts): WorkflowDefinition {
  const { database, providers, openStore, clock } = parts
  const { embedded } = providers

  const plainStep = stepsOf(subjectOf)
  const step = (key: string, name: string, provesFailure: boolean, work: StepWork<Subject>) =>
    plainStep(key, name, async (context, subject) => {
      try {
        return await work(context, subject)
      } catch (error) {
        await concludeFailure(subject, provesFailure && isProof(error) && !context.signal.aborted)
        throw error
      }
    })

  /** Notes what a failed step proved, and removes the server. What is not removed now, the next look removes. */
  async function concludeFailure({ drill }: Subject, isFailed: boolean): Promise<void> {
    const { organizationId, id } = drill
    const now = await database.withTenant(organizationId, async (db) => {
      if (isFailed) await updateRestore(db, organizationId, id, { proof: 'failed' })
      return findRestore(db, organizationId, id)
    })
    if (now !== undefined) await removeDrillServer(parts, now).catch(() => undefined)
  }

  async function subjectOf({ run }: StepContext): Promise<Subject> {
    const { organizationId, input } = run
    return database.readTenant(organizationId, async (db) => {
      const drill = await findRestore(db, organizationId, String(input['drillId']))
      const source = await findDatabase(db, organizationId, databaseIdOf(run))
      if (drill === undefined || source === undefined)
        throw new Error('The database or the drill of this run is gone')
      return { drill, source, server: drillServer(drill, source) }
    })
  }

  async function advance(
    { drill }: Subject,
    from: RestoreStatus,
    to: RestoreStatus,
    values: Parameters<typeof updateRestore>[3] = {},
  ): Promise<void> {
    const { organizationId, databaseId } = drill
    await database.withTenant(organizationId, async (db) => {
      if (await moveRestore(db, drill, [from], to, values))
        await announceBackup(db, organizationId, databaseId)
    })
  }

  const prepare = step('prepare', 'Choose the moment', false, async (context, subject) => {
    const { organizationId, id, databaseId } = subject.drill
    await advance(subject, 'pending', 'preparing')
    await database.withTenant(organizationId, async (db) => {
      const now = clock.now()
      const { backups, wal } = await findRecoverable(db, organizationId, databaseId)
      const window = recoverableWindow(backups, wal)
      const targetTime = subject.drill.targetTime ?? randomTarget(window, now.getTime())
      if (targetTime === undefined) {
        throw new StepFailure(momentRefusal(window, now.getTime()) ?? 'No moment can be restored.')
      }
      const found = await chooseBackup(db, organizationId, databaseId, { targetTime, backupId: null })
      if (found.backup === undefined) throw new StepFailure(found.refusal)
      const { backup } = found
      const newestMs = window.ranges.at(-1)?.toMs ?? now.getTime()
      const lostMs = Math.max(0, Math.round(now.getTime() - newestMs))
      await updateRestore(db, organizationId, id, { targetTime, backupId: backup.id, lostMs })
      await moveBackup(db, backup, ['completed', 'verified'], 'verifying')
      context.log(
        `Restores ${targetTime.toISOString()} from the backup of ${backup.consistentAt?.toISOString() ?? ''}.`,
      )
      context.log(`With the machine, the last ${seconds(lostMs)} would have been lost.`)
    })
    return undefined
  })

  const reserve = step('reserve', 'Reserve memory', false, async (context, { drill, server }) => {
    const placement = await embedded.choosePlacement(drill.id, drillPlacement(drill))
    // Before anything is made there: whatever interrupts the run, what it left is found.
    await database.withTenant(drill.organizationId, (db) =>
      updateRestore(db, drill.organizationId, drill.id, placement),
    )
    await embedded.reserve(server, placement, context)
    return undefined
  })

  const unpack = step('unpack', 'Restore the files', true, async (context, subject) => {
    await advance(subject, 'preparing', 'restoring')
    const { organizationId, id } = subject.drill
    const begunMs = clock.monotonicMs()
    const backup = await backupOf(subject)
    await embedded.files.unpack(placed(subject), () => openBackup(openStore, backup, context.signal))
    const restoreMs = Math.round(clock.monotonicMs() - begunMs)
    await database.withTenant(organizationId, (db) => updateRestore(db, organizationId, id, { restoreMs }))
    context.log(`The files are there after ${seconds(restoreMs)}.`)
    return undefined
  })

  const replay = step('replay', 'Replay the WAL', true, async (context, subject) => {
    // Executed again, a part of the WAL is there already, and the time measures less.
    const isFirst = subject.drill.status === 'restoring'
    await advance(subject, 'restoring', 'replaying')
    const { organizationId, id, targetTime } = subject.drill
    if (targetTime === null) throw new Error('No moment was chosen for the drill')
    const { server } = subject
    const placement = placed(subject)
    const begunMs = clock.monotonicMs()
    const wal = { database, openStore, embedded }
    const backup = await backupOf(subject)
    await fetchWal(wal, placement, backup, targetTime, context.signal)
    const fetchMs = Math.round(clock.monotonicMs() - begunMs)
    const { maxConnections } = server.plan
    const { reachedAt, replayed } = await embedded.files.recover(
      server,
      placement,
      { time: targetTime },
      maxConnections,
      context,
    )
    await startRecovered(server, placement)
    const replayMs = Math.round(clock.monotonicMs() - begunMs)
    await database.withTenant(organizationId, (db) =>
      updateRestore(db, organizationId, id, {
        replayMs,
        reachedAt,
        ...(isFirst &&
          replayed && {
            walBytes: (replayed.lastSegment - backup.startSegment + 1) * walSegmentBytes,
            walMs: fetchMs + replayed.ms,
          }),
      }),
    )
    context.log(`It takes questions after ${seconds(replayMs + (subject.drill.restoreMs ?? 0))}.`)
    return undefined
  })

  const validate = step('validate', 'Check what came back', false, async (context, subject) => {
    await advance(subject, 'replaying', 'validating')
    const { organizationId, id, databaseId } = subject.drill
    const { server } = subject
    const { checks: wanted, recoveryTimeMinutes } = await database.readTenant(organizationId, (db) =>
      findPolicy(db, organizationId, databaseId),
    )
    const begunMs = clock.monotonicMs()
    await embedded.start(server, placed(subject))
    const checks = await check(subject, wanted)
    const validateMs = Math.round(clock.monotonicMs() - begunMs)
    const isFailed = checks.some(({ outcome }) => outcome === 'failed')
    await database.withTenant(organizationId, (db) =>
      updateRestore(db, organizationId, id, { checks, validateMs, ...(isFailed && { proof: 'failed' }) }),
    )
    const backMs = recoveryMs({ ...subject.drill, totalMs: null })
    const promise = backMs === null ? undefined : promiseText(backMs, recoveryTimeMinutes)
    if (promise !== undefined) context.log(promise)
    for (const { name, outcome, detail } of checks) context.log(`${name}: ${outcome}. ${detail ?? ''}`)
    if (checks.length === 0) context.log('The policy has no checks: it answers, and nothing more was asked.')
    return undefined
  })

  const remove = step('remove', 'Remove the server', false, async (context, { drill }) => {
    context.log((await removeDrillServer(parts, drill)) ?? 'There is no server any more.')
    const failed = drill.checks.filter(({ outcome }) => outcome === 'failed')
    if (failed.length === 0) return undefined
    const sentences = failed
      .slice(0, 3)
      .map(({ name, detail }) => `The check "${name}" failed: ${detail ?? ''}`)
    throw new StepFailure(sentences.join(' '))
  })

  /** Starts the server until it takes questions. What is replayed by then is sound, so a failure is the machine's. */
  async function startRecovered(server: ProviderDatabase, placement: DatabasePlacement): Promise<void> {
    try {
      await embedded.start(server, placement)
      await (await openReader(embedded, placement, server.databaseName)).end()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw new StepFailure(message, { cause: error, reason: 'server_error' })
    }
  }

  async function check(subject: Subject, wanted: Parameters<typeof runChecks>[1]) {
    const client = await openReader(embedded, placed(subject), subject.server.databaseName)
    try {
      return await runChecks(client, wanted, () => clock.monotonicMs())
    } finally {
      await client.end()
    }
  }

  const backupOf = ({ drill }: Subject) => requireBackup(database, drill.organizationId, drill.backupId ?? '')

  return {
    key: 'database.drill',
    name: 'Prove that a database can be restored',
    description:
      'Restores a random second of the last day into a server that is removed again, and checks it.',
    type: 'data',
    cancelPermission: 'databases.restore',
    steps: [prepare, reserve, unpack, replay, validate, remove],
    onMove: onDrillMove(clock),
  }
}

/** Whether a failure says something about the backup, not about the place, the memory or the disk. */
function isProof(error: unknown): boolean {
  if (error instanceof BackupStoreProblem) return error.kind === 'changed' || error.kind === 'absent'
  return error instanceof StepFailure && error.reason !== 'server_error' && !isFull(error)
}

function placed({ drill }: Subject): DatabasePlacement {
  const placement = drillPlacement(drill)
  if (placement === null) throw new Error('No place was chosen for the server')
  return placement
}

/** What a recovery time means for the promise of the policy; undefined where nothing is promised. */
function promiseText(backMs: number, recoveryTimeMinutes: number | null): string | undefined {
  const overMs = overPromiseMs(backMs, recoveryTimeMinutes)
  if (overMs === null) return undefined
  return overMs <= 0
    ? `It was back within what was promised: ${seconds(backMs)} of ${recoveryTimeMinutes} min.`
    : `It took ${seconds(overMs)} longer than was promised: ${seconds(backMs)} instead of ${recoveryTimeMinutes} min.`
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
