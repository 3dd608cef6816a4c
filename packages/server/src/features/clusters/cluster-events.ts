import type { Db } from '../../platform/db/database.ts'
import type { RunFacts, RunMove } from '../workflows/definition/definition.ts'
import type { Publish } from '../workflows/ports.ts'

/** The cluster that a run of this feature works on. Throws for a run of another one. */
export function clusterIdOf({ subject, workflowKey }: Pick<RunFacts, 'subject' | 'workflowKey'>): number {
  if (subject?.type !== 'cluster') throw new Error(`A run of ${workflowKey} has no cluster`)
  return Number(subject.id)
}

/** The live events of clusters, each published inside the transaction that causes it. */
export function createClusterEvents(publish: Publish) {
  return {
    /** `status` is PROVISIONING, COMPLETED, FAILED, UPDATING or DELETED. */
    provisioning(db: Db, move: RunMove, status: string, error: string | null = null): Promise<void> {
      const { run } = move
      return publish(db, [
        {
          organizationId: run.organizationId,
          type: 'CLUSTER_PROVISIONING_UPDATE',
          message: error ?? move.stepName ?? status,
          data: {
            clusterId: clusterIdOf(run),
            status,
            error,
            workflowId: run.workflowId,
            runId: run.id,
            stepName: move.stepName,
            progress: move.progressPercent,
          },
        },
      ])
    },

    listChanged(db: Db, organizationId: number): Promise<void> {
      return publish(db, [{ organizationId, type: 'CLUSTERS_UPDATE' }])
    },
  }
}

export type ClusterEvents = ReturnType<typeof createClusterEvents>
