import { type EntityType, isRunOver, type RunStatus, runStatuses } from '@bey/contract'
import { and, asc, desc, eq, gte, ilike, inArray, lte, or, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { beginningWith, containing } from '../../platform/db/like.ts'
import { countUpTo, exactTotal } from '../../platform/db/totals.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'
import { workflows } from '../../tables/workflows.ts'
import { selectRuns } from './store.ts'

/** Which runs are meant. */
export type RunSelection = {
  status?: readonly RunStatus[] | undefined
  workflowId?: string | undefined
  trigger?: string | undefined
  subjectType?: EntityType | undefined
  subjectId?: string | undefined
  since?: string | undefined
  until?: string | undefined
  isOver?: 'true' | 'false' | undefined
  search?: string | undefined
}

export type RunFilter = RunSelection & {
  page: number
  limit: number
  order?: 'asc' | 'desc' | undefined
  sort: 'queuedAt' | 'status'
}

/** A page of runs, as quick for a million of them as for a thousand. */
export async function listRuns(db: Db, organizationId: number, filter: RunFilter) {
  const statuses = statusesOf(filter)
  const isByStatus = filter.sort === 'status'
  const isAscending = !isByStatus && filter.order === 'asc'
  const direction = isAscending ? asc : desc
  const byTime = [direction(workflowRuns.queuedAt), direction(workflowRuns.id)]
  const byStatus = (filter.order === 'desc' ? desc : asc)(workflowRuns.status)
  const order = isByStatus ? [byStatus, ...byTime] : byTime
  const where = othersWhere(organizationId, filter)
  if (statuses?.length === 0) return { rows: [], total: 0 }
  // The page first, by an index, and only then what is shown beside it: joined first, every run would be read.
  const page =
    statuses === undefined && !isByStatus
      ? plainPage(where, order, filter)
      : pageByStatus(where, statuses ?? runStatuses, { order, isAscending }, filter)
  const [rows, total] = await Promise.all([
    selectRuns(db)
      .where(sql`${workflowRuns.id} in (${page})`)
      .orderBy(...order),
    countUpTo(db, sql`select 1 from ${workflowRuns} where ${runsWhere(organizationId, filter)}`),
  ])
  return { rows, ...total }
}

/** How many runs of a selection each status has; 10,001 stands for more than 10,000. Without statuses that have none. */
export async function countByStatus(db: Db, organizationId: number, selection: RunSelection) {
  const where = othersWhere(organizationId, selection)
  const counts = (statusesOf(selection) ?? runStatuses).map(
    (status) => sql`select ${status}::text as status, count(*)::int as count from (
      select 1 from ${workflowRuns} where ${where} and ${workflowRuns.status} = ${status} limit ${exactTotal + 1}
    ) found`,
  )
  if (counts.length === 0) return {}
  const { rows } = await db.execute<{ status: RunStatus; count: number }>(sql.join(counts, sql` union all `))
  return Object.fromEntries(
    rows.flatMap(({ status, count }) => (count > 0 ? [[status, count] as const] : [])),
  )
}

/** The condition that a selection stands for, on `workflow_runs`. */
export function runsWhere(organizationId: number, selection: RunSelection): SQL | undefined {
  const statuses = statusesOf(selection)
  return and(
    othersWhere(organizationId, selection),
    statuses === undefined ? undefined : inArray(workflowRuns.status, [...statuses]),
  )
}

type Paging = { page: number; limit: number }

function plainPage(where: SQL | undefined, order: SQL[], { page, limit }: Paging): SQL {
  return sql`select id from ${workflowRuns} where ${where} order by ${sql.join(order, sql`, `)}
    limit ${limit} offset ${(page - 1) * limit}`
}

/**
 * The first of each status, and of those the page. Each is a range with its order by status, which the index of statuses
 * alone serves: along the index of times, every run would be read until enough of a rare status were found.
 */
function pageByStatus(
  where: SQL | undefined,
  statuses: readonly RunStatus[],
  { order, isAscending }: { order: SQL[]; isAscending: boolean },
  { page, limit }: Paging,
): SQL {
  const { status, queuedAt, id } = workflowRuns
  const along = sql.join([status, queuedAt, id].map(isAscending ? asc : desc), sql`, `)
  const firsts = statuses.map(
    (each) => sql`(select id, status, queued_at from ${workflowRuns}
      where ${where} and ${status} >= ${each} and ${status} <= ${each}
      order by ${along} limit ${page * limit})`,
  )
  return sql`select workflow_runs.id from (${sql.join(firsts, sql` union all `)}) workflow_runs
    order by ${sql.join(order, sql`, `)} limit ${limit} offset ${(page - 1) * limit}`
}

/** The statuses that a selection allows; undefined where it allows all. */
function statusesOf({ status, isOver }: RunSelection): readonly RunStatus[] | undefined {
  if (isOver === undefined) return status
  return (status ?? runStatuses).filter((each) => String(isRunOver(each)) === isOver)
}

/** What a selection says beside statuses. */
function othersWhere(organizationId: number, selection: RunSelection): SQL | undefined {
  const { workflowId, trigger, subjectType, subjectId, since, until, search } = selection
  return and(
    eq(workflowRuns.organizationId, organizationId),
    workflowId === undefined ? undefined : eq(workflowRuns.workflowId, workflowId),
    trigger === undefined ? undefined : eq(workflowRuns.trigger, trigger),
    subjectType === undefined ? undefined : eq(workflowRuns.subjectType, subjectType),
    subjectId === undefined ? undefined : eq(workflowRuns.subjectId, subjectId),
    since === undefined ? undefined : gte(workflowRuns.queuedAt, new Date(since)),
    until === undefined ? undefined : lte(workflowRuns.queuedAt, new Date(until)),
    search ? matchesText(search) : undefined,
  )
}

function matchesText(text: string): SQL | undefined {
  const pattern = containing(text)
  return or(
    sql`${workflowRuns.workflowId} in (
      select ${workflows.id} from ${workflows}
      where ${workflows.organizationId} = ${workflowRuns.organizationId} and ${ilike(workflows.name, pattern)}
    )`,
    sql`${workflowRuns.error} ->> 'message' ilike ${pattern}`,
    sql`${workflowRuns.id}::text like ${beginningWith(text)}`,
  )
}
