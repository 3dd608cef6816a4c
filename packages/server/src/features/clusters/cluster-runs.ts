import type { ClusterStatus } from '@bey/contract'

import type { Who } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Workflows } from '../workflows/service.ts'
import type { Connections } from './connections.ts'
import { assignRun } from './store.ts'

export type ClusterWorkflowKey =
  | 'cluster.provision'
  | 'cluster.delete'
  | 'cluster.import'
  | 'cluster.disconnect'

type Subject = { id: number; organizationId: number; title: string }

/** A cluster as what an act was done to. */
export function clusterTarget({ id, title }: Pick<Subject, 'id' | 'title'>) {
  return { type: 'cluster', id, name: title } as const
}

/** Runs on clusters: queued in the caller's transaction, with the row locked, and recorded there. */
export function createClusterRuns({
  workflows,
  connections,
}: {
  workflows: Pick<Workflows, 'startRun'>
  connections: Pick<Connections, 'placement'>
}) {
  return {
    /** Queues a run on the cluster and makes it the cluster's newest. */
    async start(
      db: Db,
      cluster: Subject & { status: ClusterStatus },
      workflowKey: ClusterWorkflowKey,
      status: ClusterStatus,
      who: Who,
      /** A run of which the steps that succeeded are not repeated. */
      resumeFrom?: string,
    ) {
      const { id, organizationId } = cluster
      const placement = await connections.placement(db, id)
      const run = await workflows.startRun(db, {
        organizationId,
        workflowKey,
        subject: { type: 'cluster', id: String(id) },
        input: {
          clusterId: id,
          title: cluster.title,
          ...(placement === null ? {} : { machineId: placement.machineId }),
          ...(resumeFrom === undefined ? {} : { resumedFrom: resumeFrom }),
        },
        ...(resumeFrom === undefined ? {} : { resumeFrom }),
        trigger: 'manual',
        createdBy: who.user.id,
      })
      await assignRun(db, cluster, run.runId, status)
      return run
    },
  }
}

export type ClusterRuns = ReturnType<typeof createClusterRuns>
