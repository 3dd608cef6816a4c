import { statement } from '../../platform/db/prepared.ts'

// What happens at every run and step, each as one statement: a transaction of many small ones would cost the
// engine half of its speed.
//
// A commit with notifications holds a lock of the whole server while it waits for the disk, so the engine's own
// commits do not wait: right after each of them DBOS commits the step and does wait, which makes durable whatever
// was committed before. What a crash of PostgreSQL could take in between is a step that DBOS has not recorded.
const unwaited = `set_config('synchronous_commit', 'off', true)`

/** A new run with its steps. $1 id … see `queueValues`. */
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

/** A queued run begins with its first step. $1 run, $2 executor, $3 now, $4 step. */
export const beginRun = statement<{ active: number }>(
  'run_begin',
  `with begun as (
    update workflow_runs set status = 'running', started_at = $3, executor_id = $2, updated_at = now(),
      row_version = row_version + 1
    where id = $1 returning organization_id
  ), opened as (
    update step_runs set status = 'running', attempt = 1, started_at = $3 where id = $4
  )
  select count(*)::int + 1 as active, ${unwaited} from workflow_runs r, begun
  where r.organization_id = begun.organization_id and r.status in ('running', 'waiting', 'paused', 'cancelling')`,
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
