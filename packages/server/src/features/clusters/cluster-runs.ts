import type { ClusterStatus } from '@bey/contract'

import { type AuditEntry, audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Workflows } from '../workflows/service.ts'
import type { Connections } from './connections.ts'
import { assignRun } from './store.ts'

/** Who does something to a cluster, for the run and the audit trail. */
export type Who = { userId: number; name: string } & Pick<
  AuditEntry,
  'via' | 'ip' | 'userAgent' | 'requestId'
>

export type ClusterWorkflowKey =
  | 'cluster.provision'
  | 'cluster.delete'
  | 'cluster.import'
  | 'cluster.disconnect'

type Subject = { id: number; organizationId: number; title: string }

export type Act = { action: string; class: AuditEntry['class']; diff?: Record<string, unknown> }

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
        createdBy: who.userId,
      })
      await assignRun(db, cluster, run.runId, status)
      return run
    },

    async record(db: Db, cluster: Subject, act: Act, who: Who, runId?: string): Promise<void> {
      await audit(db, {
        organizationId: cluster.organizationId,
        actor: { type: 'user', id: who.userId, display: who.name },
        via: who.via,
        action: act.action,
        class: act.class,
        target: { type: 'cluster', id: cluster.id, name: cluster.title },
        ip: who.ip,
        userAgent: who.userAgent,
        requestId: who.requestId,
        runId,
        ...(act.diff === undefined ? {} : { diff: act.diff }),
      })
    },
  }
}

export type ClusterRuns = ReturnType<typeof createClusterRuns>
