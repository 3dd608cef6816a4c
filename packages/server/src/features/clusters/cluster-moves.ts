import type { ClusterStatus } from '@bey/contract'

import { act, serverItself } from '../../platform/act.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { badEndOf } from '../../platform/bad-end.ts'
import type { RunMove, WorkflowDefinition } from '../workflows/definition/definition.ts'
import { type ClusterEvents, clusterIdOf } from './cluster-events.ts'
import { findCluster, isNewestRun, moveCluster } from './store.ts'

type Options = { events: ClusterEvents; clock: Clock; log: Log }
type OnMove = NonNullable<WorkflowDefinition['onMove']>

/** What the moves of a run mean for its cluster's status, in the transaction of each. `what` begins a sentence. */
export function createClusterMoves({ events, clock, log }: Options) {
  async function onCreationMove(what: string, db: Db, move: RunMove): Promise<void> {
    const clusterId = clusterIdOf(move.run)
    switch (move.status) {
      case 'running': {
        // A cluster whose deletion was asked for meanwhile is no longer being provisioned.
        if (!(await isNewestRun(db, clusterId, move.run.id, ['PENDING', 'CREATING']))) return
        const values = { pendingOperations: 1, error: null }
        const hasBegun = await moveCluster(db, clusterId, move.run.id, ['PENDING'], 'CREATING', values)
        await events.provisioning(db, move, 'PROVISIONING')
        if (hasBegun) await events.listChanged(db, move.run.organizationId)
        return
      }
      case 'completed': {
        const values = {
          pendingOperations: 0,
          error: null,
          reachability: 'reachable' as const,
          reachabilitySince: clock.now(),
          reachabilityReason: null,
          // One that is made anew is no other than the one that was asked for.
          kubeSystemUid: null,
        }
        await end(db, move, ['CREATING'], 'RUNNING', values, 'COMPLETED', null)
        return
      }
      default:
        await fail(db, move, ['PENDING', 'CREATING'], what)
    }
  }

  async function onRemovalMove(what: string, db: Db, move: RunMove): Promise<void> {
    const clusterId = clusterIdOf(move.run)
    switch (move.status) {
      case 'running':
        if (await isNewestRun(db, clusterId, move.run.id, ['UPDATING']))
          await events.provisioning(db, move, 'UPDATING')
        return
      case 'completed': {
        const values = { pendingOperations: 0, deletedAt: clock.now(), error: null }
        await end(db, move, ['UPDATING'], 'DELETED', values, 'DELETED', null)
        return
      }
      default:
        await fail(db, move, ['UPDATING'], what)
    }
  }

  /** Failed and cancelled alike leave the cluster in error, from where it can be tried again or deleted. */
  async function fail(db: Db, move: RunMove, from: ClusterStatus[], what: string): Promise<void> {
    const error = badEndOf(what, move)
    if (error === undefined) return
    await end(db, move, from, 'ERROR', { pendingOperations: 1, error }, 'FAILED', error)
  }

  async function end(
    db: Db,
    move: RunMove,
    from: ClusterStatus[],
    to: ClusterStatus,
    values: Parameters<typeof moveCluster>[5],
    eventStatus: string,
    error: string | null,
  ): Promise<void> {
    const { run } = move
    const clusterId = clusterIdOf(run)
    if (!(await moveCluster(db, clusterId, run.id, from, to, values))) return
    log[error === null ? 'info' : 'warn'](
      { clusterId, runId: run.id, status: to },
      error ?? 'A cluster moved',
    )
    await events.provisioning(db, move, eventStatus, error)
    await events.listChanged(db, run.organizationId)
    const row = await findCluster(db, run.organizationId, clusterId)
    const server = { ...serverItself(run.organizationId), via: 'workflow' } as const
    await act(db, server, {
      action: `${run.workflowKey}.${eventStatus.toLowerCase()}`,
      class: 'update',
      target: { type: 'cluster', id: clusterId, name: row?.title ?? '' },
      outcome: error === null ? 'success' : 'failure',
      runId: run.id,
      diff: { status: to, ...(error === null ? {} : { error }) },
    })
  }

  return {
    /** For runs at whose end the cluster runs. */
    creation:
      (what: string): OnMove =>
      (db, move) =>
        onCreationMove(what, db, move),
    /** For runs at whose end the cluster is gone from Bey. */
    removal:
      (what: string): OnMove =>
      (db, move) =>
        onRemovalMove(what, db, move),
  }
}
