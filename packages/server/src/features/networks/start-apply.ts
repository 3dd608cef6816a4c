import { networkCan } from '@bey/contract'

import { act, type Who } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { type NetworkParts, startNetworkRun } from './parts.ts'
import { networkTarget } from './present.ts'
import { moveNetwork, type NetworkRow } from './store.ts'

/**
 * Queues the run that puts the policies of a network into its clusters, in the caller's transaction with the network
 * locked. `input` is kept with the run. Throws AppError `conflict` while another change is under way.
 */
export async function startApply(
  parts: Pick<NetworkParts, 'workflows' | 'clock'>,
  db: Db,
  row: NetworkRow,
  who: Who,
  input: Readonly<Record<string, unknown>> = {},
) {
  const refusal = networkCan.change(row)
  if (refusal !== undefined) throw new AppError('conflict', `"${row.name}" was left alone: ${refusal}`)
  const run = await startNetworkRun(parts, db, row, 'network.apply', who, input)
  await moveNetwork(db, row, [row.status], 'updating', { reason: null }, parts.clock.now())
  await act(db, who, {
    action: 'network.apply',
    class: 'execute',
    target: networkTarget(row),
    runId: run.runId,
  })
  return run
}
