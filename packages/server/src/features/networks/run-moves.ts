import { networkMoves, type NetworkStatus } from '@bey/contract'

import { act, serverItself } from '../../platform/act.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { badEndOf } from '../../platform/bad-end.ts'
import type { RunMove, WorkflowDefinition } from '../workflows/definition/definition.ts'
import { networkTarget } from './present.ts'
import { findNetwork, moveNetwork } from './store.ts'

type Outcome = { status: NetworkStatus; values?: Parameters<typeof moveNetwork>[4] }

type Meaning = {
  /** What the run does, at the start of a sentence: `The change`. */
  what: string
  /** Statuses that a network has while such a run works on it. */
  while: readonly NetworkStatus[]
  begun?: NetworkStatus
  completed(now: Date): Outcome
}

export function networkIdOf(run: RunMove['run']): string {
  const { networkId } = run.input
  if (typeof networkId !== 'string') throw new Error('The run names no network')
  return networkId
}

/** What the moves of a run mean for the status of its network, in the transaction of each. */
export function onNetworkMove(clock: Clock, meaning: Meaning): NonNullable<WorkflowDefinition['onMove']> {
  return async (db, move) => {
    const { status } = move
    if (status === 'running') {
      if (meaning.begun !== undefined) await moveTo(db, move, { status: meaning.begun }, null)
      return
    }
    if (status === 'completed') return moveTo(db, move, meaning.completed(clock.now()), null)
    const error = badEndOf(meaning.what, move)
    if (error === undefined) return
    const remedy = status === 'cancelled' ? ' Apply it again to finish it.' : ''
    await moveTo(db, move, { status: 'error' }, `${error}${remedy}`)
  }

  async function moveTo(db: Db, move: RunMove, outcome: Outcome, error: string | null): Promise<void> {
    const { run } = move
    const { organizationId } = run
    const id = networkIdOf(run)
    const to = outcome.status
    const from = meaning.while.filter((each) => networkMoves[each].includes(to))
    const values = { ...outcome.values, reason: error, checkAt: clock.now() }
    if (!(await moveNetwork(db, { organizationId, id, runId: run.id }, from, to, values, clock.now()))) return
    const row = await findNetwork(db, organizationId, id)
    await act(
      db,
      { ...serverItself(organizationId), via: 'workflow' },
      {
        action: `${run.workflowKey}.${move.status}`,
        class: 'update',
        target: networkTarget({ id, name: row?.name ?? '' }),
        outcome: error === null ? 'success' : 'failure',
        runId: run.id,
        diff: { status: to, ...(error === null ? {} : { error }) },
        event: { type: 'NETWORKS_UPDATE', data: { networkId: id } },
      },
    )
  }
}
