import { inArray, sql } from 'drizzle-orm'

import type { Database, Db } from '../../../platform/db/database.ts'
import type { Retention } from '../../../platform/db/retention.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'

/** For workflows that do not say how long their runs are kept. */
const keptDays = 90
const dayMs = 24 * 3_600_000
/** Runs that are deleted in one transaction. */
const runsAtOnce = 200

/** Lets the engine forget what it keeps of runs that are over. */
export type ForgetRuns = (runIds: string[]) => Promise<void>

/** Deletes runs that ended more than 90 days ago, or as long ago as their workflow says, with their steps and logs. */
export function createRunRetention(database: Database, forgetRuns: ForgetRuns): Retention {
  return async function deleteOldRuns(now) {
    for (;;) {
      const ids = await database.asSystem('retention', (db) => listOldRuns(db, now))
      if (ids.length === 0) return
      // The engine first: what it has forgotten and we have not is found again.
      await forgetRuns(ids)
      await database.asSystem('retention', (db) => deleteRuns(db, ids))
    }
  }
}

/** All but the last run of a workflow or of a cluster that is there. */
async function listOldRuns(db: Db, now: Date): Promise<string[]> {
  const before = new Date(now.getTime() - keptDays * dayMs)
  const { rows } = await db.execute<{ id: string }>(sql`
    with own as materialized (
      select w.organization_id, w.id, ${now.toISOString()}::timestamptz - (v.definition ->> 'retentionDays')::int * interval '1 day' as before
      from workflows w join workflow_versions v on v.workflow_id = w.id and v.version = w.current_version
      where v.definition ->> 'retentionDays' is not null
    ), old as (
      select r.id, r.organization_id, r.workflow_id, r.queued_at, r.finished_at from workflow_runs r
      where r.finished_at < ${before.toISOString()} and not exists (select 1 from own where own.id = r.workflow_id)
      union all
      select r.id, r.organization_id, r.workflow_id, r.queued_at, r.finished_at
      from own join workflow_runs r
        on r.organization_id = own.organization_id and r.workflow_id = own.id and r.finished_at < own.before
    )
    select r.id from old r
    where exists (
        select 1 from workflow_runs n
        where n.organization_id = r.organization_id and n.workflow_id = r.workflow_id and (n.queued_at, n.id) > (r.queued_at, r.id)
      )
      and not exists (select 1 from clusters c where c.last_run_id = r.id and c.deleted_at is null)
    order by r.finished_at
    limit ${runsAtOnce}`)
  return rows.map(({ id }) => id)
}

async function deleteRuns(db: Db, runIds: readonly string[]): Promise<void> {
  await db.delete(workflowRuns).where(inArray(workflowRuns.id, [...runIds]))
}
