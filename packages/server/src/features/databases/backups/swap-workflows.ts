import { backupLimits } from '@bey/contract'

import { act, serverItself } from '../../../platform/act.ts'
import { badEndOf } from '../../../platform/bad-end.ts'
import type { StepContext, WorkflowDefinition } from '../../workflows/definition/definition.ts'
import { placementOf, providerDatabase } from '../parts.ts'
import { databaseTarget } from '../present.ts'
import { databaseIdOf } from '../run-moves.ts'
import { type DatabaseRow, findDatabase, lockDatabase, moveDatabase, updateDatabase } from '../store.ts'
import { announceBackup, type BackupParts } from './backup-parts.ts'
import { exchange, exchangeBack } from './exchange.ts'
import { stepsOf } from './steps.ts'
import { findLatestSwap, moveSwap, type SwapRow, updateSwap } from './swap-rows.ts'

type Subject = { swap: SwapRow; old: DatabaseRow; copy: DatabaseRow }

/**
 * Swaps and their undoing. Names and addresses change hands in one transaction while both servers are stopped; whatever ends
 * the run before or after it, both databases become available again and are started as their rows say.
 */
export function swapWorkflows(parts: BackupParts): WorkflowDefinition[] {
  const { database, providers, credentials, archiver, clock } = parts
  const { embedded } = providers

  const step = stepsOf(subjectOf)

  async function subjectOf({ run }: StepContext): Promise<Subject> {
    const { organizationId } = run
    return database.readTenant(organizationId, async (db) => {
      const swap = await findLatestSwap(db, organizationId, databaseIdOf(run))
      const old = swap && (await findDatabase(db, organizationId, swap.oldDatabaseId))
      const copy = swap && (await findDatabase(db, organizationId, swap.databaseId))
      if (!swap || !old || !copy) throw new Error('The databases of this run are gone')
      return { swap, old, copy }
    })
  }

  const stopServer = async (row: DatabaseRow) => {
    const placement = placementOf(row)
    return placement === null ? 'It has no server.' : embedded.stop(row.id, placement)
  }

  async function startServer(context: StepContext, row: DatabaseRow): Promise<void> {
    const placement = placementOf(row)
    const { organizationId, credentialSecretId } = row
    if (placement === null) throw new Error('It has no place')
    await embedded.start(providerDatabase(row), placement)
    if (credentialSecretId !== null) {
      const { password, version } = await credentials.read(organizationId, credentialSecretId)
      await embedded.setUp(providerDatabase(row), placement, password)
      await database.withTenant(organizationId, async (db) => {
        await updateDatabase(db, organizationId, row.id, { credentialVersion: version })
        await credentials.recordUse(db, organizationId, credentialSecretId, version, row)
      })
    }
    context.log(`"${row.name}" answers on 127.0.0.1:${placement.port}.`)
  }

  const cut = step('cut', 'End the connections', async (context, { swap, old, copy }) => {
    const { organizationId } = swap
    await database.withTenant(organizationId, (db) => moveSwap(db, swap, ['pending'], 'running'))
    context.log(`${old.name}: ${await stopServer(old)}`)
    if (swap.cutAt === null) {
      await database.withTenant(organizationId, (db) =>
        updateSwap(db, organizationId, swap.id, { cutAt: clock.now() }),
      )
    }
    context.log(`${copy.name}: ${await stopServer(copy)}`)
    // What the servers archived when they stopped.
    await archiver.round(old)
    return undefined
  })

  const change = step('exchange', 'Move name and address', async (context, { swap }) => {
    const { organizationId, id } = swap
    const oldName = await database.withTenant(organizationId, async (db) => {
      const at = clock.now()
      const undoUntil = new Date(at.getTime() + backupLimits.swapUndoHours * 3_600_000)
      // First, for it is the answer to whether this was done before.
      if (!(await moveSwap(db, swap, ['running'], 'completed', { completedAt: at, undoUntil })))
        return undefined
      const old = await lockDatabase(db, organizationId, swap.oldDatabaseId)
      const copy = await lockDatabase(db, organizationId, swap.databaseId)
      if (!old || !copy) throw new Error(`The databases of the swap ${id} are gone`)
      return exchange(db, old, copy, at)
    })
    if (oldName !== undefined) context.log(`The old database is called "${oldName}" now.`)
    return undefined
  })

  const keepOld = step('keep', 'Keep the old one read only', async (context, { old }) => {
    const placement = placementOf(old)
    if (placement === null) return undefined
    await embedded.files.setReadOnly(placement, true)
    await embedded.start(providerDatabase(old), placement)
    context.log(`"${old.name}" answers on 127.0.0.1:${placement.port} and takes no changes.`)
    return undefined
  })

  const startCopy = step('start', 'Start in its place', async (context, { copy }) => {
    await startServer(context, copy)
    return undefined
  })

  const cutBoth = step('cut', 'End the connections', async (context, { old, copy }) => {
    context.log(`${copy.name}: ${await stopServer(copy)}`)
    context.log(`${old.name}: ${await stopServer(old)}`)
    const placement = placementOf(old)
    if (placement !== null) await embedded.files.setReadOnly(placement, false)
    await archiver.round(copy)
    return undefined
  })

  const changeBack = step('exchange', 'Move name and address back', async (_context, { swap }) => {
    const { organizationId } = swap
    await database.withTenant(organizationId, async (db) => {
      if (!(await moveSwap(db, swap, ['undoing'], 'undone'))) return
      const old = await lockDatabase(db, organizationId, swap.oldDatabaseId)
      const copy = await lockDatabase(db, organizationId, swap.databaseId)
      if (!old || !copy) throw new Error('The databases of the swap are gone')
      await exchangeBack(db, old, copy, swap)
    })
    return undefined
  })

  const startOld = step('start', 'Start in its place', async (context, { old }) => {
    await startServer(context, old)
    return undefined
  })

  const startAside = step('aside', 'Start the copy', async (context, { copy }) => {
    await startServer(context, copy)
    return undefined
  })

  const onMove: NonNullable<WorkflowDefinition['onMove']> = async (db, move) => {
    const { run, status } = move
    if (!['completed', 'failed', 'cancelled', 'timed_out'].includes(status)) return
    const { organizationId } = run
    const swap = await findLatestSwap(db, organizationId, databaseIdOf(run))
    if (swap === undefined) return
    const failure = badEndOf('It', move) ?? null
    if (failure !== null) {
      // After the exchange it is done, whatever came later.
      if (swap.status === 'undoing') await moveSwap(db, swap, ['undoing'], 'completed', { failure })
      else if (swap.status === 'pending' || swap.status === 'running') {
        await moveSwap(db, swap, ['pending', 'running'], 'failed', { failure })
      } else await updateSwap(db, organizationId, swap.id, { failure })
    }
    for (const id of [swap.databaseId, swap.oldDatabaseId]) {
      const subject = { organizationId, id }
      const values = { reason: null, checkAt: clock.now() }
      if (!(await moveDatabase(db, subject, ['updating'], 'available', values, clock.now()))) continue
      const row = await findDatabase(db, organizationId, id)
      await act(
        db,
        { ...serverItself(organizationId), via: 'workflow' },
        {
          action: `${run.workflowKey}.${status}`,
          class: 'update',
          target: databaseTarget({ id, name: row?.name ?? '' }),
          outcome: failure === null ? 'success' : 'failure',
          runId: run.id,
          ...(failure !== null && { diff: { error: failure } }),
          event: { type: 'DATABASES_UPDATE', data: { databaseId: id } },
        },
      )
      await announceBackup(db, organizationId, id)
    }
  }

  return [
    {
      key: 'database.swap',
      name: 'Swap database',
      description: 'Puts a restored copy in the place of a database; the old one is kept read only.',
      type: 'maintenance',
      cancelPermission: 'databases.restore',
      steps: [cut, change, startCopy, keepOld],
      onMove,
    },
    {
      key: 'database.undo_swap',
      name: 'Undo swap of database',
      description: 'Puts the old database back in its place; the copy goes on beside it.',
      type: 'maintenance',
      cancelPermission: 'databases.restore',
      steps: [cutBoth, changeBack, startOld, startAside],
      onMove,
    },
  ]
}
