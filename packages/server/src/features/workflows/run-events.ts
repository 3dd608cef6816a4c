import type { RunStatus, StepStatus } from '@bey/contract'

import type { Db } from '../../platform/db/database.ts'
import type { RunFacts } from './definition.ts'
import type { Publish } from './ports.ts'
import { countActive, type LogLine } from './run-store.ts'

/** What the live socket is told of a run; each inside the transaction that causes it. */
export function createRunEvents(publish: Publish) {
  return {
    async runMoved(db: Db, run: RunFacts, status: RunStatus, progressPercent: number): Promise<void> {
      const { organizationId, workflowId, id: runId } = run
      const activeWorkflows = await countActive(db, organizationId)
      await Promise.all([
        publish(db, {
          organizationId,
          type: 'WORKFLOW_RUN_UPDATE',
          message: `Run ${status}`,
          data: { workflowId, runId, status, clusterId: clusterOf(run), progress: progressPercent },
        }),
        publish(db, {
          organizationId,
          type: 'WORKFLOW_UPDATE',
          message: `Workflow ${status}`,
          data: { workflowId, status, lastRunAt: new Date().toISOString() },
        }),
        publish(db, {
          organizationId,
          type: 'ENGINE_STATUS_UPDATE',
          data: { activeWorkflows, status: 'running' },
        }),
      ])
    },

    stepMoved(db: Db, run: RunFacts, step: StepEvent): Promise<void> {
      return publish(db, {
        organizationId: run.organizationId,
        type: 'WORKFLOW_STEP_UPDATE',
        message: `${step.name}: ${step.status}`,
        data: {
          workflowId: run.workflowId,
          runId: run.id,
          clusterId: clusterOf(run),
          stepKey: step.key,
          stepName: step.name,
          stepStatus: step.status,
          message: step.message ?? '',
          progress: step.progressPercent,
        },
      })
    },

    async logged(db: Db, run: RunFacts, firstSeq: number, lines: readonly LogLine[]): Promise<void> {
      await Promise.all(
        lines.map((line, index) =>
          publish(db, {
            organizationId: run.organizationId,
            type: 'WORKFLOW_LOG',
            data: {
              workflowId: run.workflowId,
              runId: run.id,
              clusterId: clusterOf(run),
              stepName: line.stepName,
              message: line.message,
              log: {
                seq: firstSeq + index,
                stepKey: line.stepKey,
                attempt: line.attempt,
                at: line.at.toISOString(),
                level: line.level,
                message: line.message,
              },
            },
          }),
        ),
      )
    },
  }
}

export type RunEvents = ReturnType<typeof createRunEvents>

type StepEvent = { key: string; name: string; status: StepStatus; progressPercent: number; message?: string }

/** Every run that has a subject works on a cluster. */
export function clusterOf(run: { subjectId: string | null }): number | null {
  return run.subjectId === null ? null : Number(run.subjectId)
}
