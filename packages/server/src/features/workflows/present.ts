import type { Run, StepLog, StepRun, Workflow } from '@bey/contract'

import type { WorkflowDefinition } from './definition.ts'
import type { listLogs, listSteps, RunRow, WorkflowRow } from './store.ts'

export function presentWorkflow(row: WorkflowRow, definition: WorkflowDefinition | undefined): Workflow {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type as Workflow['type'],
    isBuiltIn: row.builtIn !== null,
    status: row.lastRunStatus ?? 'idle',
    steps: (definition?.steps ?? []).map(({ key, name, type, guarantee }) => ({
      key,
      name,
      type,
      guarantee,
    })),
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    lastRunId: row.lastRunId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function presentRun(row: RunRow): Run {
  const stepKey = row.error?.['stepKey']
  return {
    id: row.id,
    workflowId: row.workflowId,
    workflowName: row.workflowName,
    status: row.status,
    trigger: row.trigger as Run['trigger'],
    subject:
      row.subjectType === null || row.subjectId === null
        ? null
        : { type: row.subjectType, id: row.subjectId, name: row.subjectName ?? row.subjectId },
    input: row.input,
    output: row.output,
    error:
      row.error === null
        ? null
        : { message: row.error.message, stepKey: typeof stepKey === 'string' ? stepKey : null },
    recoveryCount: row.recoveryCount,
    progressPercent: row.status === 'completed' ? 100 : row.progressPercent,
    queuedAt: row.queuedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    cancelRequestedAt: row.cancelRequestedAt?.toISOString() ?? null,
    createdBy:
      row.createdBy === null
        ? { type: 'system', id: '', name: 'Bey' }
        : { type: 'user', id: String(row.createdBy), name: row.createdByName ?? 'Former member' },
  }
}

export function presentStep(row: Awaited<ReturnType<typeof listSteps>>[number]): StepRun {
  return {
    ...row,
    error: row.error === null ? null : { message: row.error.message },
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

export function presentLog(row: Awaited<ReturnType<typeof listLogs>>[number]): StepLog {
  return { ...row, level: levelOf(row.level), at: row.at.toISOString() }
}

function levelOf(level: string): StepLog['level'] {
  return level === 'debug' || level === 'warning' || level === 'error' ? level : 'info'
}
