import type { RunStatus, StepStatus } from '@bey/contract'

import type { RunFacts } from '../definition/definition.ts'
import type { AnyPublishedEvent } from '../../../platform/live/publish.ts'
import type { LogLine } from './store.ts'

// The live events of a run.

/** `changesActive`: other runs are under way now than before. */
export function runEvents(
  run: RunFacts,
  status: RunStatus,
  progressPercent: number,
  changesActive: boolean,
): AnyPublishedEvent[] {
  const { organizationId, workflowId, id: runId } = run
  const moved: AnyPublishedEvent[] = [
    {
      organizationId,
      type: 'WORKFLOW_RUN_UPDATE',
      message: `Run ${status}`,
      data: { workflowId, runId, status, subject: run.subject, progress: progressPercent },
    },
    {
      organizationId,
      type: 'WORKFLOW_UPDATE',
      message: `Workflow ${status}`,
      data: { workflowId, status, lastRunAt: run.queuedAt.toISOString() },
    },
  ]
  return changesActive ? [...moved, { organizationId, type: 'ENGINE_STATUS_UPDATE' }] : moved
}

type StepEvent = { key: string; name: string; status: StepStatus; progressPercent: number; message?: string }

export function stepEvent(run: RunFacts, step: StepEvent): AnyPublishedEvent {
  return {
    organizationId: run.organizationId,
    type: 'WORKFLOW_STEP_UPDATE',
    message: `${step.name}: ${step.status}`,
    data: {
      workflowId: run.workflowId,
      runId: run.id,
      subject: run.subject,
      stepKey: step.key,
      stepName: step.name,
      stepStatus: step.status,
      message: step.message ?? '',
      progress: step.progressPercent,
    },
  }
}

export function logEvents(run: RunFacts, firstSeq: number, lines: readonly LogLine[]): AnyPublishedEvent[] {
  return lines.map((line, index): AnyPublishedEvent => ({
    organizationId: run.organizationId,
    type: 'WORKFLOW_LOG',
    data: {
      workflowId: run.workflowId,
      runId: run.id,
      subject: run.subject,
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
  }))
}
