import { clusterCan, isRunOver } from '@bey/contract'

import { act, type Who } from '../../platform/act.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import type { ClusterEvents } from './cluster-events.ts'
import { type ClusterRuns, clusterTarget } from './cluster-runs.ts'
import { isImported, lockExisting, underWay } from './existing-cluster.ts'
import { updateCluster } from './store.ts'

/**
 * Provisions a pending or failed cluster again, all of it or from the failed step on; asked while a run is under way,
 * answers that run.
 */
export function createClusterProvision({
  database,
  events,
  runs: { start },
}: {
  database: Pick<Database, 'withTenant'>
  events: Pick<ClusterEvents, 'listChanged'>
  runs: ClusterRuns
}) {
  return (organizationId: number, id: number, who: Who, mode: 'from_start' | 'from_failed' = 'from_start') =>
    database.withTenant(organizationId, async (db) => {
      const { cluster, last } = await lockExisting(db, organizationId, id)
      const isUnderWay = cluster.status === 'PENDING' || cluster.status === 'CREATING'
      if (isUnderWay && last !== undefined && !isRunOver(last.status))
        return underWay(cluster, last, 'provisioned')
      const refusal = clusterCan.provision({ ...cluster, pending_operations: cluster.pendingOperations })
      if (refusal !== undefined)
        throw new AppError('conflict', `The cluster "${cluster.title}" was left alone: ${refusal}`)
      const resumeFrom = mode === 'from_failed' ? last?.id : undefined
      const workflow = isImported(cluster) ? 'cluster.import' : 'cluster.provision'
      const run = await start(db, cluster, workflow, 'CREATING', who, resumeFrom)
      await updateCluster(db, id, { error: null })
      await events.listChanged(db, organizationId)
      await act(db, who, {
        action: workflow,
        class: 'execute',
        diff: { mode },
        target: clusterTarget(cluster),
        runId: run.runId,
      })
      return keepReply(db, {
        clusterId: id,
        ...run,
        status: 'queued',
        message: `${isImported(cluster) ? 'The import' : 'Provisioning'} of "${cluster.title}" started.`,
      })
    })
}
