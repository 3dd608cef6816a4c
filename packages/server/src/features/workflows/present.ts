import { presentActor } from '../../platform/present-actor.ts'
import {
  guaranteeOf,
  needsOf,
  type Run,
  type StepLog,
  type StepRun,
  type Workflow,
  workflowDeletionDays,
} from '@bey/contract'

import type { WorkflowDefinition } from './definition/definition.ts'
import { definitionOf, type WorkflowParts } from './parts.ts'
import type { listLogs, listSteps, RunRow, WorkflowRow } from './store.ts'

export function presentWorkflow(
  parts: Pick<WorkflowParts, 'definitions' | 'stepTypes'>,
  row: WorkflowRow,
): Workflow {
  const definition = definitionOf(parts, row)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type as Workflow['type'],
    isBuiltIn: row.builtIn !== null,
    status: row.lastRunStatus ?? 'idle',
    state: row.state,
    purgeAt: purgeTime(row)?.toISOString() ?? null,
    version: row.version,
    tags: row.tags,
    inputSchema: row.definition?.inputSchema ?? { type: 'object', properties: {} },
    steps: definition === undefined ? ownSteps(parts, row) : builtInSteps(definition),
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    lastRunId: row.lastRunId,
    activity: {
      runs: row.activity.runs.map((each) => ({ ...each, queuedAt: new Date(each.queuedAt).toISOString() })),
      successRate: row.activity.successRate === null ? null : Number(row.activity.successRate),
      medianMs: row.activity.medianMs,
    },
    nextRunAt: row.nextRunAt,
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Until when a deleted workflow can be restored. */
export function purgeTime({ deletedAt }: { deletedAt: Date | null }): Date | null {
  return deletedAt === null ? null : new Date(deletedAt.getTime() + workflowDeletionDays * 86_400_000)
}

function builtInSteps(definition: WorkflowDefinition): Workflow['steps'] {
  return definition.steps.map(({ key, name, type, guarantee }, index, steps) => ({
    key,
    name,
    type,
    guarantee,
    needs: [...needsOf(steps, index)],
  }))
}

function ownSteps(
  { stepTypes }: Pick<WorkflowParts, 'stepTypes'>,
  { definition }: WorkflowRow,
): Workflow['steps'] {
  return (definition?.steps ?? []).map(({ key, name, type, config }, index, steps) => ({
    key,
    name,
    type,
    guarantee: guaranteeOf(stepTypes.get(type)?.guarantee, config),
    needs: [...needsOf(steps, index)],
  }))
}

export function presentRun(row: RunRow): Run {
  const stepKey = row.error?.['stepKey']
  return {
    id: row.id,
    workflowId: row.workflowId,
    workflowName: row.workflowName,
    status: row.status,
    version: row.version,
    trigger: row.trigger as Run['trigger'],
    triggerName: row.triggerName,
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
    waiting: row.waiting,
    parent:
      row.parentRunId === null || row.parentWorkflowId === null
        ? null
        : { workflowId: row.parentWorkflowId, runId: row.parentRunId, stepKey: row.parentStepKey ?? '' },
    retryOf: row.retryOf,
    priority: row.priority,
    deadlineAt: row.deadlineAt?.toISOString() ?? null,
    recoveryCount: row.recoveryCount,
    progressPercent: row.status === 'completed' ? 100 : row.progressPercent,
    queuedAt: row.queuedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    cancelRequestedAt: row.cancelRequestedAt?.toISOString() ?? null,
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
  }
}

export function presentStep(row: Awaited<ReturnType<typeof listSteps>>[number]): StepRun {
  return {
    ...row,
    error: row.error === null ? null : { message: row.error.message },
    nextAt: row.nextAt?.toISOString() ?? null,
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
