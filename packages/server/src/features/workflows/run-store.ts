import type { EntityRef, RunStatus, StepStatus } from '@bey/contract'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { prepared, statement } from '../../platform/db/prepared.ts'
import { subjectRef } from '../../tables/entity-tables.ts'
import { stepLogs } from '../../tables/step-logs.ts'
import { stepRuns } from '../../tables/step-runs.ts'
import { users } from '../../tables/users.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'
import { workflows } from '../../tables/workflows.ts'
import type { Json, RunFacts } from './definition.ts'
import type { RunChange } from './run-transitions.ts'

// Writes of the running side: what the interpreter and the reporter do to a run.

export type LockedRun = RunFacts & {
  status: RunStatus
  executorId: string | null
  recoveryCount: number
  logCount: number
  cancelRequestedBy: number | null
}

const runColumns = {
  id: workflowRuns.id,
  organizationId: workflowRuns.organizationId,
  workflowId: workflowRuns.workflowId,
  workflowKey: sql<string>`coalesce(${workflows.builtIn}, '')`,
  subject: sql<EntityRef | null>`${sql.raw(subjectRef('workflow_runs'))}`,
  input: workflowRuns.input,
  createdBy: workflowRuns.createdBy,
  queuedAt: workflowRuns.queuedAt,
  status: workflowRuns.status,
  executorId: workflowRuns.executorId,
  recoveryCount: workflowRuns.recoveryCount,
  logCount: workflowRuns.logCount,
  cancelRequestedBy: workflowRuns.cancelRequestedBy,
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

/** A run is asked to stop, by whom and when. */
export async function markCancelRequested(
  db: Db,
  runId: string,
  values: { status: RunStatus; cancelRequestedAt: Date; cancelRequestedBy: number },
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

/**
 * A new run with its steps. $1 id, $2 organization, $3 workflow, $4 input, $5 trigger, $6 type and $7 id of its subject,
 * $8 user, $9 now, $10 ids, $11 keys, $12 names, $13 types and $14 guarantees of the steps.
 */
export const queueRun = statement(
  'run_queue',
  `with run as (
    insert into workflow_runs (id, organization_id, workflow_id, input, trigger, subject_type, subject_id, created_by, queued_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    returning id
  )
  insert into step_runs (id, organization_id, run_id, key, name, type, guarantee, position)
  select s.id, $2, run.id, s.key, s.name, s.type, s.guarantee, s.n - 1
  from run, unnest($10::uuid[], $11::text[], $12::text[], $13::text[], $14::text[])
    with ordinality s(id, key, name, type, guarantee, n)`,
)

/**
 * Takes over the steps of an earlier run ($2) of the same workflow ($3) into a new one ($1): those before its first step
 * that did not succeed, with their output and their times. Nothing where every step had succeeded.
 */
export const keepSucceededSteps = statement(
  'run_keep_steps',
  `update step_runs s set status = 'succeeded', progress_percent = 100, attempt = o.attempt, output = o.output,
    started_at = o.started_at, finished_at = o.finished_at
  from step_runs o join workflow_runs r on r.id = o.run_id
  where s.run_id = $1 and o.run_id = $2 and r.workflow_id = $3 and o.key = s.key and o.position < (
    select min(position) from step_runs where run_id = $2 and status <> 'succeeded')`,
)

// One statement for every change: each round trip holds the locks of the run for its time.
const writeChange = statement<{ active: number }>(
  'run_change',
  `with run as (
    update workflow_runs set status = $2, executor_id = $3, recovery_count = $4, log_count = $5,
      started_at = coalesce($6, started_at), finished_at = $7, output = coalesce($8::jsonb, output),
      error = coalesce($9::jsonb, error), updated_at = now(), row_version = row_version + 1
    where id = $1 returning id, organization_id
  ), steps as (
    update step_runs s set status = c.status, attempt = c.attempt, progress_percent = c.progress_percent,
      output = c.output, error = c.error, started_at = coalesce(c.started_at, s.started_at), finished_at = c.finished_at
    from run, jsonb_to_recordset($10::jsonb) c(id uuid, status text, attempt int, progress_percent int, output jsonb,
      error jsonb, started_at timestamptz, finished_at timestamptz)
    where s.id = c.id and s.run_id = run.id
  ), logs as (
    insert into step_logs (organization_id, run_id, seq, step_run_id, attempt, at, level, message)
    select run.organization_id, run.id, $5 - cardinality($11::uuid[]) + l.n, l.step_run_id, l.attempt, l.at, l.level,
      l.message
    from run, unnest($11::uuid[], $12::int[], $13::timestamptz[], $14::text[], $15::text[])
      with ordinality l(step_run_id, attempt, at, level, message, n)
  )
  select count(*)::int as active from workflow_runs r, run
  where r.organization_id = run.organization_id and r.id <> run.id
    and r.status in ('running', 'waiting', 'paused', 'cancelling')`,
)

/** Writes a change of a locked run; answers how many runs of its organization are under way then. */
export async function writeRunChange(db: Db, run: LockedRun, change: RunChange): Promise<number> {
  const { lines } = change
  const steps = change.steps.map((step) => ({
    id: step.id,
    status: step.status,
    attempt: step.attempt,
    progress_percent: step.progressPercent,
    output: step.output,
    error: step.error,
    started_at: step.startedAt,
    finished_at: step.finishedAt,
  }))
  const rows = await writeChange(db, [
    run.id,
    change.status,
    change.executorId,
    change.recoveryCount,
    run.logCount + lines.length,
    change.startedAt ?? null,
    change.finishedAt ?? null,
    change.output === undefined ? null : JSON.stringify(change.output),
    change.error === undefined ? null : JSON.stringify(change.error),
    JSON.stringify(steps),
    lines.map((line) => line.stepRunId),
    lines.map((line) => line.attempt),
    lines.map((line) => line.at),
    lines.map((line) => line.level),
    lines.map((line) => line.message),
  ])
  return (rows[0]?.active ?? 0) + (activeRunStatuses.includes(change.status) ? 1 : 0)
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

/** The same without a lock. */
export async function readRunState(
  db: Db,
  runId: string,
): Promise<{ run: LockedRun; steps: StepRow[] } | undefined> {
  const [rows, steps] = await Promise.all([unlockedRun(db).execute({ runId }), readSteps(db, runId)])
  return rows[0] === undefined ? undefined : { run: rows[0], steps }
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
