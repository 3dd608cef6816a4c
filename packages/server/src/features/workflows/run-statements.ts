import { statement } from '../../platform/db/prepared.ts'
import type { RunFacts } from './definition.ts'
import type { StepRow } from './run-store.ts'

// What happens at every run and step, each as one statement: a transaction of many small ones would cost the
// engine half of its speed.
//
// A commit with notifications holds a lock of the whole server while it waits for the disk, so the engine's own
// commits do not wait: right after each of them DBOS commits the step and does wait, which makes durable whatever
// was committed before. What a crash of PostgreSQL could take in between is a step that DBOS has not recorded.
const unwaited = `set_config('synchronous_commit', 'off', true)`

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

/** A run as it begins; its steps are as they were before the first of them was opened. */
export type BegunRun = RunFacts & { logCount: number; steps: StepRow[]; active: number }

/**
 * A queued run begins with its first step, unless it is queued no more or its workflow is none of those known.
 * $1 run, $2 executor, $3 now, $4 keys of the workflows that are known.
 */
export const beginRun = statement<BegunRun>(
  'run_begin',
  `with begun as (
    update workflow_runs r set status = 'running', started_at = $3, executor_id = $2, updated_at = now(),
      row_version = row_version + 1
    from workflows w
    where r.id = $1 and r.status = 'queued' and w.id = r.workflow_id and w.built_in = any($4::text[])
    returning r.*, w.built_in
  ), opened as (
    update step_runs s set status = 'running', attempt = 1, started_at = $3
    from begun where s.run_id = begun.id and s.position = 0
  )
  select begun.id, organization_id as "organizationId", workflow_id as "workflowId", built_in as "workflowKey",
    subject_id as "subjectId", input, created_by as "createdBy", queued_at as "queuedAt", log_count as "logCount",
    (
      select coalesce(json_agg(json_build_object(
        'id', s.id, 'key', s.key, 'name', s.name, 'position', s.position, 'status', s.status,
        'attempt', s.attempt, 'progressPercent', s.progress_percent, 'output', s.output
      ) order by s.position), '[]') from step_runs s where s.run_id = begun.id
    ) as steps,
    (
      select count(*)::int + 1 from workflow_runs r where r.organization_id = begun.organization_id
        and r.status in ('running', 'waiting', 'paused', 'cancelling')
    ) as active
  from begun where ${unwaited} = 'off'`,
)

/**
 * A step succeeded and the next one begins, if this process still holds the run, nobody has cancelled it and its
 * log is where this process knows it to be. $1 run, $2 executor, $3 lines written before, $4 now, $5 step,
 * $6 its output, $7 next step, $8 attempt, $9 times, $10 levels, $11 messages of the lines that come now.
 */
export const advanceRun = statement<{ ok: number }>(
  'run_advance',
  `with held as (
    update workflow_runs set log_count = log_count + cardinality($9::timestamptz[]), updated_at = now()
    where id = $1 and executor_id = $2 and status = 'running' and finished_at is null and log_count = $3
    returning id, organization_id
  ), done as (
    update step_runs s set status = 'succeeded', output = $6::jsonb, progress_percent = 100, finished_at = $4
    from held where s.id = $5
  ), opened as (
    update step_runs s set status = 'running', attempt = 1, started_at = $4 from held where s.id = $7
  ), logged as (
    insert into step_logs (organization_id, run_id, seq, step_run_id, attempt, at, level, message)
    select held.organization_id, held.id, $3 + l.n, $5, $8, l.at, l.level, l.message
    from held, unnest($9::timestamptz[], $10::text[], $11::text[]) with ordinality l(at, level, message, n)
  )
  select 1 as ok, ${unwaited} from held`,
)

/** The last step succeeded, and with it the run. As above; $7 output of the run. */
export const completeRun = statement<{ active: number }>(
  'run_complete',
  `with held as (
    update workflow_runs set log_count = log_count + cardinality($9::timestamptz[]), status = 'completed',
      finished_at = $4, output = $7::jsonb, updated_at = now(), row_version = row_version + 1
    where id = $1 and executor_id = $2 and status = 'running' and finished_at is null and log_count = $3
    returning id, organization_id
  ), done as (
    update step_runs s set status = 'succeeded', output = $6::jsonb, progress_percent = 100, finished_at = $4
    from held where s.id = $5
  ), logged as (
    insert into step_logs (organization_id, run_id, seq, step_run_id, attempt, at, level, message)
    select held.organization_id, held.id, $3 + l.n, $5, $8, l.at, l.level, l.message
    from held, unnest($9::timestamptz[], $10::text[], $11::text[]) with ordinality l(at, level, message, n)
  )
  select (
    select count(*)::int - 1 from workflow_runs r where r.organization_id = held.organization_id
      and r.status in ('running', 'waiting', 'paused', 'cancelling')
  ) as active, ${unwaited} from held`,
)
