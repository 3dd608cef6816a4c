import type { Db } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/prepared.ts'
import type { LockedRun } from '../runs/store.ts'
import type { RunChange } from './run-change.ts'

// One statement for every change: each round trip holds the locks of the run for its time.
const writeChange = statement(
  'run_change',
  `with run as (
    update workflow_runs set status = $2, executor_id = $3, recovery_count = $4, log_count = $5,
      started_at = coalesce($6, started_at), finished_at = $7, output = coalesce($8::jsonb, output),
      error = coalesce($9::jsonb, error), deadline_at = coalesce($16, deadline_at),
      waiting = case when $2 in ('waiting', 'needs_attention') then coalesce($17::jsonb, waiting) end,
      updated_at = now(), row_version = row_version + 1
    where id = $1 returning id, organization_id
  ), steps as (
    update step_runs s set status = c.status, attempt = c.attempt, progress_percent = c.progress_percent,
      input = coalesce(c.input, s.input), output = coalesce(c.output, s.output), error = c.error,
      note = coalesce(c.note, s.note), guarantee = c.guarantee, next_at = c.next_at,
      concurrency_key = case when c.finished_at is null then coalesce(c.concurrency_key, s.concurrency_key) end,
      waits_for = case when c.status = 'waiting' and s.type = 'wait_event' then coalesce(c.input, s.input) ->> 'event' end,
      started_at = coalesce(c.started_at, s.started_at), finished_at = c.finished_at
    from run, jsonb_to_recordset($10::jsonb) c(id uuid, status text, attempt int, progress_percent int, input jsonb,
      output jsonb, error jsonb, note text, guarantee text, next_at timestamptz, concurrency_key text, started_at timestamptz,
      finished_at timestamptz)
    where s.id = c.id and s.run_id = run.id
  ), attempts as (
    insert into step_attempts (organization_id, run_id, step_run_id, attempt, status, executor_id, started_at,
      finished_at, error)
    select run.organization_id, run.id, a.step_run_id, a.attempt, a.status, coalesce($3, ''), a.at,
      case when a.status <> 'running' then a.at end, a.error
    from run, jsonb_to_recordset($18::jsonb) a(step_run_id uuid, attempt int, status text, at timestamptz, error jsonb)
    on conflict (step_run_id, attempt) do update
      set status = excluded.status, error = excluded.error,
        finished_at = case when excluded.status = 'interrupted'
          then coalesce(step_attempts.finished_at, excluded.finished_at) else excluded.finished_at end
  ), logs as (
    insert into step_logs (organization_id, run_id, seq, step_run_id, attempt, at, level, message)
    select run.organization_id, run.id, $5 - cardinality($11::uuid[]) + l.n, l.step_run_id, l.attempt, l.at, l.level,
      l.message
    from run, unnest($11::uuid[], $12::int[], $13::timestamptz[], $14::text[], $15::text[])
      with ordinality l(step_run_id, attempt, at, level, message, n)
  )
  select id from run`,
)

/** Writes a change of a locked run. */
export async function writeRunChange(db: Db, run: LockedRun, change: RunChange): Promise<void> {
  const { lines } = change
  await writeChange(db, [
    run.id,
    change.status,
    change.executorId,
    change.recoveryCount,
    run.logCount + lines.length,
    change.startedAt ?? null,
    change.finishedAt ?? null,
    jsonOrNull(change.output),
    jsonOrNull(change.error),
    JSON.stringify(change.steps.map(stepRecord)),
    lines.map((line) => line.stepRunId),
    lines.map((line) => line.attempt),
    lines.map((line) => line.at),
    lines.map((line) => line.level),
    lines.map((line) => line.message),
    change.deadlineAt ?? null,
    jsonOrNull(change.waiting),
    JSON.stringify(
      change.attempts.map(({ stepRunId, attempt, status, at, error }) => ({
        step_run_id: stepRunId,
        attempt,
        status,
        at,
        error,
      })),
    ),
  ])
}

function stepRecord(step: RunChange['steps'][number]) {
  return {
    id: step.id,
    status: step.status,
    attempt: step.attempt,
    progress_percent: step.progressPercent,
    input: step.input,
    output: step.output,
    error: step.error,
    note: step.note,
    guarantee: step.guarantee,
    next_at: step.nextAt,
    concurrency_key: step.concurrencyKey,
    started_at: step.startedAt,
    finished_at: step.finishedAt,
  }
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
