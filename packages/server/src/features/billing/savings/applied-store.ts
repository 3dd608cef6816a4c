import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { appliedSavings, type SavingChange } from '../../../tables/applied-savings.ts'

/** Savings are listed as applied for so long. */
const shownDays = 60

export type AppliedRow = {
  id: string
  savingId: string
  kind: 'idle_database' | 'over_requested' | 'spare_node'
  title: string
  text: string
  amount: string
  currency: string
  isDirect: boolean
  clusterId: number
  change: SavingChange
  error: string | null
  appliedAtMs: number
  patchedAtMs: number | null
  undoneAtMs: number | null
  byId: number | null
  byName: string | null
  byEmail: string | null
  run: Run | null
  undoRun: Run | null
}

type Run = {
  workflowId: string
  runId: string
  status: string
  finishedMs: number | null
  error: string | null
}

/** Applied savings with their runs, the newest first; one where its id is given. */
export async function listApplied(db: Db, organizationId: number, id?: string): Promise<AppliedRow[]> {
  const run = (alias: string) =>
    sql.raw(`case when ${alias}.id is not null then json_build_object('workflowId', ${alias}.workflow_id, 'runId', ${alias}.id,
      'status', ${alias}.status, 'finishedMs', extract(epoch from ${alias}.finished_at)::float8 * 1000,
      'error', ${alias}.error ->> 'message') end`)
  const ms = (column: string) => sql.raw(`extract(epoch from a.${column})::float8 * 1000`)
  const { rows } = await db.execute<AppliedRow>(sql`
    select a.id, a.saving_id as "savingId", a.kind, a.title, a.text, a.amount::text, a.currency, a.is_direct as "isDirect",
      a.cluster_id as "clusterId", a.change, a.error, ${ms('applied_at')} as "appliedAtMs",
      ${ms('patched_at')} as "patchedAtMs", ${ms('undone_at')} as "undoneAtMs",
      u.id as "byId", u.name as "byName", u.email as "byEmail", ${run('r')} as run, ${run('v')} as "undoRun"
    from applied_savings a left join users u on u.id = a.applied_by
    left join workflow_runs r on r.organization_id = a.organization_id and r.id = a.run_id
    left join workflow_runs v on v.organization_id = a.organization_id and v.id = a.undo_run_id
    where a.organization_id = ${organizationId} and a.applied_at > now() - make_interval(days => ${shownDays})
      and (${id ?? null}::uuid is null or a.id = ${id ?? null}::uuid)
    order by a.applied_at desc limit 50`)
  return rows
}

export async function insertApplied(db: Db, row: typeof appliedSavings.$inferInsert): Promise<void> {
  await db.insert(appliedSavings).values(row)
}

/** Notes what came of a saving: that its patch was accepted or refused, or that it was taken back. */
export async function updateApplied(
  db: Db,
  organizationId: number,
  id: string,
  change: { patchedAt?: Date; error?: string; undoneAt?: Date; undoRunId?: string },
): Promise<void> {
  const iso = (at: Date | undefined) => at?.toISOString() ?? null
  await db.execute(sql`
    update applied_savings set patched_at = coalesce(${iso(change.patchedAt)}::timestamptz, patched_at),
      error = coalesce(${change.error ?? null}, error), undone_at = coalesce(${iso(change.undoneAt)}::timestamptz, undone_at),
      undo_run_id = coalesce(${change.undoRunId ?? null}::uuid, undo_run_id)
    where organization_id = ${organizationId} and id = ${id}::uuid`)
}
