import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'

/** How long earlier runs took: medians need five completed ones to mean anything. */
const enough = 5
const considered = 20

export type UsualDurations = {
  estimate: { totalMs: number; basedOn: number } | null
  usual: Record<string, { medianMs: number; p90Ms: number }>
}

type Row = { key: string | null; runs: number; median_ms: number | null; p90_ms: number | null }

/** Durations of the last 20 completed runs of a workflow before `runId`, whole and by step, in milliseconds. */
export async function usualDurations(db: Db, workflowId: string, runId: string): Promise<UsualDurations> {
  const { rows } = await db.execute<Row>(sql`
    with earlier as (
      select id, extract(epoch from finished_at - started_at) * 1000 as ms
      from workflow_runs
      where workflow_id >= ${workflowId} and workflow_id <= ${workflowId}
        and status = 'completed' and retry_of is null and id <> ${runId}
      order by workflow_id desc, queued_at desc, id desc
      limit ${considered}
    )
    select null as key, count(*)::int as runs,
      percentile_cont(0.5) within group (order by ms)::float8 as median_ms,
      percentile_cont(0.9) within group (order by ms)::float8 as p90_ms
    from earlier
    union all
    select s.key, count(*)::int,
      percentile_cont(0.5) within group (order by extract(epoch from s.finished_at - s.started_at) * 1000)::float8,
      percentile_cont(0.9) within group (order by extract(epoch from s.finished_at - s.started_at) * 1000)::float8
    from earlier e
    join step_runs s on s.run_id = e.id and s.status = 'succeeded'
    group by s.key
    having count(*) >= ${enough}`)
  const whole = rows.find((row) => row.key === null)
  const isKnown = whole !== undefined && whole.runs >= enough && whole.median_ms !== null
  return {
    estimate: isKnown ? { totalMs: Math.round(whole.median_ms ?? 0), basedOn: whole.runs } : null,
    usual: Object.fromEntries(
      rows.flatMap(({ key, median_ms: median, p90_ms: p90 }) =>
        key === null || median === null || p90 === null
          ? []
          : [[key, { medianMs: Math.round(median), p90Ms: Math.round(p90) }] as const],
      ),
    ),
  }
}
