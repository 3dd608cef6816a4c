import { clusterCan, isRunOver } from '@bey/contract'

import { act, type Who } from '../../platform/act.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import type { Workflows } from '../workflows/service.ts'
import type { ClusterEvents } from './cluster-events.ts'
import { type ClusterRuns, clusterTarget } from './cluster-runs.ts'
import { isImported, lockExisting, noSuchCluster, underWay } from './existing-cluster.ts'
import { listOpenRuns } from './store.ts'

/** Starts the deletion; what is being provisioned is cancelled first. Asked twice, answers the run under way. */
export function createClusterRemoval({
  database,
  workflows,
  events,
  runs: { start },
}: {
  database: Pick<Database, 'withTenant'>
  workflows: Pick<Workflows, 'cancelRun'>
  events: Pick<ClusterEvents, 'listChanged'>
  runs: ClusterRuns
}) {
  return (organizationId: number, id: number, who: Who) =>
    database.withTenant(organizationId, async (db) => {
      const { cluster, last } = await lockExisting(db, organizationId, id)
      if (cluster.status === 'DELETED') throw noSuchCluster()
      if (cluster.status === 'UPDATING' && last !== undefined && !isRunOver(last.status)) {
        return underWay(cluster, last, 'deleted')
      }
      // The run of a deletion is over and the cluster is still there: it failed and can be started again.
      const hasFailed = cluster.status === 'UPDATING'
      const refusal = clusterCan.delete({ ...cluster, pending_operations: cluster.pendingOperations })
      if (refusal !== undefined && !hasFailed)
        throw new AppError('conflict', `The cluster "${cluster.title}" was left alone: ${refusal}`)
      // First, so that the end of the cancelled run finds a cluster that is no longer its own.
      const workflow = isImported(cluster) ? 'cluster.disconnect' : 'cluster.delete'
      const run = await start(db, cluster, workflow, 'UPDATING', who)
      // Other runs on it, such as the drain of a node, would make the deletion wait.
      for (const runId of await listOpenRuns(db, organizationId, id))
        if (runId !== run.runId) await workflows.cancelRun(db, runId, { userId: who.user.id })
      await events.listChanged(db, organizationId)
      await act(db, who, {
        action: workflow,
        class: 'delete',
        target: clusterTarget(cluster),
        runId: run.runId,
      })
      const message = isImported(cluster)
        ? `Disconnecting "${cluster.title}" started; nothing is changed in the cluster itself.`
        : `Deletion of "${cluster.title}" started.`
      return keepReply(db, { clusterId: id, ...run, status: 'queued', message })
    })
}
