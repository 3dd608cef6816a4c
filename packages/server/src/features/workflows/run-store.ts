import type { RunStatus, StepStatus } from '@bey/contract'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { prepared } from '../../platform/db/prepared.ts'
import { stepLogs } from '../../tables/step-logs.ts'
import { stepRuns } from '../../tables/step-runs.ts'
import { users } from '../../tables/users.ts'
import { type RunError, workflowRuns } from '../../tables/workflow-runs.ts'
import { workflows } from '../../tables/workflows.ts'
import type { Json, RunFacts } from './definition.ts'

// Writes of the running side: what the interpreter and the reporter do to a run.

export type LockedRun = RunFacts & {
  status: RunStatus
  executorId: string | null
  recoveryCount: number
  logCount: number
  cancelRequestedBy: number | null
}

const lockedRun = prepared('run_lock', (db) =>
  db
    .select({
      id: workflowRuns.id,
      organizationId: workflowRuns.organizationId,
      workflowId: workflowRuns.workflowId,
      workflowKey: sql<string>`coalesce(${workflows.builtIn}, '')`,
      subjectId: workflowRuns.subjectId,
      input: workflowRuns.input,
      createdBy: workflowRuns.createdBy,
      queuedAt: workflowRuns.queuedAt,
      status: workflowRuns.status,
      executorId: workflowRuns.executorId,
      recoveryCount: workflowRuns.recoveryCount,
      logCount: workflowRuns.logCount,
      cancelRequestedBy: workflowRuns.cancelRequestedBy,
    })
    .from(workflowRuns)
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .where(eq(workflowRuns.id, sql.placeholder('runId')))
    .for('update', { of: workflowRuns }),
)

/** The run, locked until the transaction ends. */
export async function lockRun(db: Db, runId: string): Promise<LockedRun | undefined> {
  const rows = await lockedRun(db).execute({ runId })
  return rows[0]
}

export type HeldRun = { status: RunStatus; firstSeq: number; cancelRequestedBy: number | null }

/**
 * Locks a run that this process still holds and takes `lineCount` numbers of its log; `firstSeq` is the first.
 * Undefined when another process holds it now or it is over.
 */
export async function holdRun(
  db: Db,
  runId: string,
  executorId: string,
  lineCount: number,
): Promise<HeldRun | undefined> {
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
    .returning({
      status: workflowRuns.status,
      logCount: workflowRuns.logCount,
      cancelRequestedBy: workflowRuns.cancelRequestedBy,
    })
  const [row] = rows
  if (row === undefined) return undefined
  return {
    status: row.status,
    cancelRequestedBy: row.cancelRequestedBy,
    firstSeq: row.logCount - lineCount + 1,
  }
}

export async function updateRun(
  db: Db,
  runId: string,
  values: Partial<typeof workflowRuns.$inferInsert>,
): Promise<void> {
  await db
    .update(workflowRuns)
    .set({ ...values, rowVersion: sql`${workflowRuns.rowVersion} + 1` })
    .where(eq(workflowRuns.id, runId))
}

export const activeRunStatuses: RunStatus[] = ['running', 'waiting', 'paused', 'cancelling']

export async function countActive(db: Db, organizationId: number): Promise<number> {
  return db.$count(
    workflowRuns,
    and(eq(workflowRuns.organizationId, organizationId), inArray(workflowRuns.status, activeRunStatuses)),
  )
}

export type StepRow = {
  id: string
  key: string
  name: string
  position: number
  status: StepStatus
  attempt: number
  progressPercent: number
  output: Json | null
}

const stepsOfRun = prepared('run_steps', (db) =>
  db
    .select({
      id: stepRuns.id,
      key: stepRuns.key,
      name: stepRuns.name,
      position: stepRuns.position,
      status: stepRuns.status,
      attempt: stepRuns.attempt,
      progressPercent: stepRuns.progressPercent,
      output: stepRuns.output,
    })
    .from(stepRuns)
    .where(eq(stepRuns.runId, sql.placeholder('runId')))
    .orderBy(asc(stepRuns.position)),
)

export function readSteps(db: Db, runId: string): Promise<StepRow[]> {
  return stepsOfRun(db).execute({ runId })
}

export type StepChange = {
  status?: StepStatus
  attempt?: number
  output?: Json | null
  error?: RunError | null
  progressPercent?: number
  startedAt?: Date
  finishedAt?: Date
}

export async function updateStep(db: Db, stepId: string, change: StepChange): Promise<void> {
  await db.update(stepRuns).set(change).where(eq(stepRuns.id, stepId))
}

export async function updateSteps(db: Db, stepIds: string[], change: StepChange): Promise<void> {
  if (stepIds.length > 0) await db.update(stepRuns).set(change).where(inArray(stepRuns.id, stepIds))
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
