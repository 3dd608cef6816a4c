import { sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { missing, type WorkflowParts } from './parts.ts'
import { findWorkflowFacts } from './definition/facts.ts'

const dayMs = 86_400_000
/** Of a workflow that runs each second, the last hours say enough. */
const runsConsidered = 10_000
const runsOfSteps = 200

/** Success and durations of the runs of a workflow, by day of UTC. */
export function createWorkflowStatistics({ database, clock }: Pick<WorkflowParts, 'database' | 'clock'>) {
  return {
    statistics(organizationId: number, workflowId: string, { days }: { days: number }) {
      return database.readTenant(organizationId, async (db) => {
        if ((await findWorkflowFacts(db, organizationId, workflowId)) === undefined)
          return missing('workflow')
        const today = Math.floor(clock.now().getTime() / dayMs) * dayMs
        const since = new Date(today - (days - 1) * dayMs)
        const [byDay, steps] = await Promise.all([
          readDays(db, workflowId, since),
          readSteps(db, workflowId, since),
        ])
        const whole = byDay.find(({ day }) => day === null)
        return {
          runs: whole?.runs ?? 0,
          succeeded: whole?.succeeded ?? 0,
          failed: whole?.failed ?? 0,
          medianMs: whole?.median_ms ?? null,
          p95Ms: whole?.p95_ms ?? null,
          days: Array.from({ length: days }, (_, index) => {
            const day = new Date(since.getTime() + index * dayMs).toISOString().slice(0, 10)
            const row = byDay.find((each) => each.day === day)
            const [runs, succeeded, failed] = [row?.runs ?? 0, row?.succeeded ?? 0, row?.failed ?? 0]
            return {
              day,
              succeeded,
              failed,
              other: runs - succeeded - failed,
              medianMs: row?.median_ms ?? null,
            }
          }),
          steps,
        }
      })
    },
  }
}

type DayRow = {
  day: string | null
  runs: number
  succeeded: number
  failed: number
  median_ms: number | null
  p95_ms: number | null
}

// As a range, for the same reason as in `lastRun`.
const recent = (workflowId: string, since: Date, limit: number) => sql`
  select id, status, queued_at, extract(epoch from finished_at - started_at)::float8 * 1000 as ms
  from workflow_runs
  where workflow_id >= ${workflowId} and workflow_id <= ${workflowId} and queued_at >= ${since.toISOString()}
  order by workflow_id desc, queued_at desc, id desc
  limit ${limit}`

/** A row a day, and one without a day for all of them. */
async function readDays(db: Db, workflowId: string, since: Date): Promise<DayRow[]> {
  const { rows } = await db.execute<DayRow>(sql`
    select to_char(queued_at at time zone 'utc', 'YYYY-MM-DD') as day, count(*)::int as runs,
      (count(*) filter (where status = 'completed'))::int as succeeded,
      (count(*) filter (where status in ('failed', 'timed_out')))::int as failed,
      percentile_cont(0.5) within group (order by ms) filter (where status = 'completed') as median_ms,
      percentile_cont(0.95) within group (order by ms) filter (where status = 'completed') as p95_ms
    from (${recent(workflowId, since, runsConsidered)}) r
    group by grouping sets ((1), ())`)
  return rows
}

type StepFigures = {
  key: string
  name: string
  runs: number
  failed: number
  medianMs: number | null
  p90Ms: number | null
}

/** Steps of the last 200 runs; iterations count with the step that they belong to. */
async function readSteps(db: Db, workflowId: string, since: Date): Promise<StepFigures[]> {
  const duration = sql`extract(epoch from s.finished_at - s.started_at)::float8 * 1000`
  const { rows } = await db.execute<StepFigures>(sql`
    select s.key, min(s.name) as name, (count(*) filter (where s.started_at is not null))::int as runs,
      (count(*) filter (where s.status in ('failed', 'timed_out')))::int as failed,
      percentile_cont(0.5) within group (order by ${duration}) filter (where s.status = 'succeeded') as "medianMs",
      percentile_cont(0.9) within group (order by ${duration}) filter (where s.status = 'succeeded') as "p90Ms"
    from (${recent(workflowId, since, runsOfSteps)}) r
    join step_runs s on s.run_id = r.id and s.parent_key is null
    group by s.key
    order by min(s.position), s.key
    limit 5000`)
  return rows
}
