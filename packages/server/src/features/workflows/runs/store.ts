import type { EntityRef, RunStatus, StepStatus } from '@bey/contract'
import { and, asc, eq, gt, isNotNull, isNull, notInArray, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { prepared } from '../../../platform/db/prepared.ts'
import { subjectRef } from '../../../tables/entity-tables.ts'
import { stepLogs } from '../../../tables/step-logs.ts'
import { type StepGuarantee, stepRuns } from '../../../tables/step-runs.ts'
import { users } from '../../../tables/users.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { workflows } from '../../../tables/workflows.ts'
import type { Json, RunFacts } from '../definition/definition.ts'

// Writes of the running side: what the interpreter and the reporter do to a run.

export type LockedRun = RunFacts & {
  status: RunStatus
  executorId: string | null
  recoveryCount: number
  logCount: number
  cancelRequestedBy: number | null
  /** The version that it executes; null for built-in workflows. */
  version: number | null
  deadlineAt: Date | null
  expiresAt: Date | null
  parentRunId: string | null
}

const runColumns = {
  id: workflowRuns.id,
  organizationId: workflowRuns.organizationId,
  workflowId: workflowRuns.workflowId,
  workflowKey: sql<string>`coalesce(${workflows.builtIn}, '')`,
  subject: sql<EntityRef | null>`${sql.raw(subjectRef('workflow_runs'))}`,
  input: workflowRuns.input,
  createdBy: workflowRuns.createdBy,
  keyId: workflowRuns.keyId,
  authorKeyIds: workflowRuns.authorKeyIds,
  queuedAt: workflowRuns.queuedAt,
  status: workflowRuns.status,
  executorId: workflowRuns.executorId,
  recoveryCount: workflowRuns.recoveryCount,
  logCount: workflowRuns.logCount,
  cancelRequestedBy: workflowRuns.cancelRequestedBy,
  version: workflowRuns.workflowVersion,
  deadlineAt: workflowRuns.deadlineAt,
  expiresAt: workflowRuns.expiresAt,
  parentRunId: workflowRuns.parentRunId,
}

const selectRun = (db: Db) =>
  db
    .select(runColumns)
    .from(workflowRuns)
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .where(eq(workflowRuns.id, sql.placeholder('runId')))

const lockedRun = prepared('run_lock', (db) => selectRun(db).for('update', { of: workflowRuns }))
const unlockedRun = prepared('run_read', selectRun)

/** The run, locked until the transaction ends. */
export async function lockRun(db: Db, runId: string): Promise<LockedRun | undefined> {
  const rows = await lockedRun(db).execute({ runId })
  return rows[0]
}

/**
 * Takes `lineCount` numbers of the log of a run that this process still holds, and locks it; answers the first number.
 * Undefined when another process holds the run now or it is over.
 */
export async function takeLogNumbers(
  db: Db,
  runId: string,
  executorId: string,
  lineCount: number,
): Promise<number | undefined> {
  const rows = await db
    .update(workflowRuns)
    .set({ logCount: sql`${workflowRuns.logCount} + ${lineCount}` })
    .where(
      and(
        eq(workflowRuns.id, runId),
        eq(workflowRuns.executorId, executorId),
        isNull(workflowRuns.finishedAt),
      ),
    )
    .returning({ logCount: workflowRuns.logCount })
  const [row] = rows
  return row === undefined ? undefined : row.logCount - lineCount + 1
}

/** Undoes `takeLogNumbers` within its transaction. */
export async function giveLogNumbersBack(db: Db, runId: string, lineCount: number): Promise<void> {
  await db
    .update(workflowRuns)
    .set({ logCount: sql`${workflowRuns.logCount} - ${lineCount}` })
    .where(eq(workflowRuns.id, runId))
}

/** Whether a step has a line with a greater number. */
export async function hasLogAfter(db: Db, stepRunId: string, seq: number): Promise<boolean> {
  const rows = await db
    .select({ seq: stepLogs.seq })
    .from(stepLogs)
    .where(and(eq(stepLogs.stepRunId, stepRunId), gt(stepLogs.seq, seq)))
    .limit(1)
  return rows.length > 0
}

/** A run is asked to stop, by whom and when. */
export async function markCancelRequested(
  db: Db,
  runId: string,
  values: { status: RunStatus; cancelRequestedAt: Date; cancelRequestedBy: number | null },
): Promise<void> {
  await db
    .update(workflowRuns)
    .set({ ...values, rowVersion: sql`${workflowRuns.rowVersion} + 1` })
    .where(eq(workflowRuns.id, runId))
}

export const activeRunStatuses: RunStatus[] = ['running', 'waiting', 'paused', 'cancelling']

export type StepRow = {
  id: string
  key: string
  name: string
  type: string
  position: number
  status: StepStatus
  attempt: number
  progressPercent: number
  nextAt: Date | null
  guarantee: StepGuarantee
}

const stepColumns = {
  id: stepRuns.id,
  key: stepRuns.key,
  name: stepRuns.name,
  type: stepRuns.type,
  position: stepRuns.position,
  status: stepRuns.status,
  attempt: stepRuns.attempt,
  progressPercent: stepRuns.progressPercent,
  nextAt: stepRuns.nextAt,
  guarantee: stepRuns.guarantee,
}

const stepsOfRun = prepared('run_steps', (db) =>
  db
    .select(stepColumns)
    .from(stepRuns)
    .where(eq(stepRuns.runId, sql.placeholder('runId')))
    .orderBy(asc(stepRuns.position)),
)

export function readSteps(db: Db, runId: string): Promise<StepRow[]> {
  return stepsOfRun(db).execute({ runId })
}

const stepsByKey = prepared('run_steps_by_key', (db) =>
  db
    .select(stepColumns)
    .from(stepRuns)
    .where(
      and(
        eq(stepRuns.runId, sql.placeholder('runId')),
        sql`${stepRuns.key} = any(${sql.placeholder('keys')}::text[])`,
      ),
    ),
)

/** Some steps of a run, in any order. */
export function readStepsByKey(db: Db, runId: string, keys: readonly string[]): Promise<StepRow[]> {
  return stepsByKey(db).execute({ runId, keys })
}

const openSteps = prepared('run_open_steps', (db) =>
  db
    .select(stepColumns)
    .from(stepRuns)
    .where(
      and(
        eq(stepRuns.runId, sql.placeholder('runId')),
        notInArray(stepRuns.status, ['succeeded', 'failed', 'timed_out', 'skipped', 'cancelled']),
      ),
    )
    .orderBy(asc(stepRuns.position)),
)

/** The steps of a run that are not over. */
export function readOpenSteps(db: Db, runId: string): Promise<StepRow[]> {
  return openSteps(db).execute({ runId })
}

const outputs = prepared('run_outputs', (db) =>
  db
    .select({ key: stepRuns.key, output: stepRuns.output })
    .from(stepRuns)
    .where(and(eq(stepRuns.runId, sql.placeholder('runId')), isNotNull(stepRuns.output)))
    .orderBy(asc(stepRuns.position)),
)

/** What the steps of a run gave back. */
export function readOutputs(db: Db, runId: string): Promise<{ key: string; output: Json | null }[]> {
  return outputs(db).execute({ runId })
}

/** How far a step under way is. */
export async function updateStepProgress(db: Db, stepId: string, progressPercent: number): Promise<void> {
  await db.update(stepRuns).set({ progressPercent }).where(eq(stepRuns.id, stepId))
}

/** A run with its steps, the run locked until the transaction ends; undefined if there is no such run. */
export async function lockRunState(
  db: Db,
  runId: string,
): Promise<{ run: LockedRun; steps: StepRow[] } | undefined> {
  // Sent together: PostgreSQL answers them one after the other, so the steps are read under the lock.
  const [run, steps] = await Promise.all([lockRun(db, runId), readSteps(db, runId)])
  return run === undefined ? undefined : { run, steps }
}

/** The same without a lock, and without its steps. */
export async function readRun(db: Db, runId: string): Promise<LockedRun | undefined> {
  const rows = await unlockedRun(db).execute({ runId })
  return rows[0]
}

export type LogLine = {
  stepRunId: string
  stepKey: string
  stepName: string
  attempt: number
  at: Date
  level: 'debug' | 'info' | 'warning' | 'error'
  message: string
}

export async function insertLogs(
  db: Db,
  run: { id: string; organizationId: number },
  firstSeq: number,
  lines: readonly LogLine[],
): Promise<void> {
  if (lines.length === 0) return
  await db.insert(stepLogs).values(
    lines.map((line, index) => ({
      organizationId: run.organizationId,
      runId: run.id,
      seq: firstSeq + index,
      stepRunId: line.stepRunId,
      attempt: line.attempt,
      at: line.at,
      level: line.level,
      message: line.message,
    })),
  )
}

export async function userName(db: Db, userId: number | null): Promise<string | null> {
  if (userId === null) return null
  const rows = await db.select({ name: users.name }).from(users).where(eq(users.id, userId))
  return rows[0]?.name ?? null
}
