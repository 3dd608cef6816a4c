import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Who } from '../../platform/act.ts'
import type { ClusterDoor, ClusterSummaries } from '../kubernetes/connection/ports.ts'
import type { WatchCache } from '../kubernetes/watch/watch-cache.ts'
import type { Workflows } from '../workflows/service.ts'
import type { NetworkAccessPort } from '../databases/network-access.ts'
import type { ObservedFlows } from './observed/observed-flows.ts'
import { type NetworkRow, updateNetwork } from './store.ts'

/** What the functions of this feature work with. */
export type NetworkParts = {
  database: Database
  clusters: ClusterDoor & Pick<ClusterSummaries, 'listRunning' | 'getRunning'>
  cache: Pick<WatchCache, 'read' | 'watchRows' | 'whileAnswering'>
  workflows: Pick<Workflows, 'startRun'>
  clock: Clock
  /** Who reaches the databases that Bey runs. */
  access: NetworkAccessPort
  observed: ObservedFlows
}

export type NetworkWorkflowKey = `network.${'create' | 'update' | 'apply' | 'take_over' | 'delete'}`

/**
 * Queues a run on a network in the caller's transaction, with the row locked, and makes it the newest. `more` is what
 * its steps read beside the network.
 */
export async function startNetworkRun(
  { workflows }: Pick<NetworkParts, 'workflows'>,
  db: Db,
  row: Pick<NetworkRow, 'id' | 'name' | 'organizationId'>,
  workflowKey: NetworkWorkflowKey,
  who: Who,
  more: Readonly<Record<string, unknown>> = {},
) {
  const { id, name, organizationId } = row
  const run = await workflows.startRun(db, {
    organizationId,
    workflowKey,
    subject: { type: 'network', id },
    input: { networkId: id, name, ...more },
    trigger: 'manual',
    createdBy: who.user.id,
  })
  await updateNetwork(db, organizationId, id, { lastRunId: run.runId })
  return run
}
