import { type EntityType, isRunOver, type RunStatus, runStatuses } from '@bey/contract'
import { and, asc, desc, eq, gte, ilike, inArray, lte, or, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { beginningWith, containing } from '../../../platform/db/like.ts'
import { type Anchor, createPageAnchors } from '../../../platform/db/page-anchors.ts'
import { countUpTo, exactTotal } from '../../../platform/db/totals.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { workflows } from '../../../tables/workflows.ts'
import { selectRuns } from '../store.ts'

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

/** From here on pages are found from where others ended. */
const nearRows = 2_000

const anchors = createPageAnchors()

/**
 * A page of runs, as quick for a million of them as for a thousand. The first jump to a page far from the beginning
 * walks along an index; from then on the pages around it go on from where it was found.
 */
export async function listRuns(db: Db, organizationId: number, filter: RunFilter) {
  const { page, limit } = filter
  const statuses = statusesOf(filter)
  if (statuses?.length === 0) return { rows: [], total: 0 }
  const where = othersWhere(organizationId, filter)
  const isAscending = filter.sort !== 'status' && filter.order === 'asc'
  const byTime = timeOrder(isAscending)
  const byStatus = (filter.order === 'desc' ? desc : asc)(workflowRuns.status)
  const order = filter.sort === 'status' ? [byStatus, ...byTime] : byTime

  const offset = (page - 1) * limit
  const list = JSON.stringify([organizationId, { ...filter, page: 0, limit: 0 }])
  const isFar = filter.sort !== 'status' && offset > nearRows
  const anchor = isFar ? anchors.nearest(list, offset) : undefined
  const window = { limit, offset: offset - (anchor?.offset ?? 0) }
  const from = anchor && and(where, fromAnchor(anchor, isAscending))

  // The page first, by an index, and only then what is shown beside it: joined first, every run would be read.
  const ids =
    filter.sort === 'status'
      ? await pageByStatus(db, organizationId, filter, order)
      : statuses === undefined
        ? plainPage(from ?? where, order, window)
        : newestOf(from ?? where, statuses, isAscending, window)
  const [rows, total] = await Promise.all([
    selectRuns(db)
      .where(sql`${workflowRuns.id} in (${ids})`)
      .orderBy(...order),
    countUpTo(db, statuses === undefined ? inAnyStatus(where) : inStatuses(where, statuses)),
  ])
  if (isFar) anchors.keep(list, offset, rows)
  return { rows, ...total }
}

/** In the order of an index: without one, a filter that lets a fifth through is answered by reading everything. */
function inAnyStatus(where: SQL | undefined): SQL {
  return sql`select 1 from ${workflowRuns} where ${where} order by ${workflowRuns.queuedAt}`
}

/** Of each status by itself, as many as are counted: along the index of times, a rare status reads everything. */
function inStatuses(where: SQL | undefined, statuses: readonly RunStatus[]): SQL {
  const slices = statuses.map((status) => ({ status, offset: 0, limit: exactTotal + 1 }))
  return sql`select 1 from (${unionOf(where, slices, false)}) found`
}

/**
 * How many runs of a selection each status has; one more than `atMost` means any more. Without statuses that have
 * none.
 */
export async function countByStatus(
  db: Db,
  organizationId: number,
  selection: RunSelection,
  atMost = exactTotal,
): Promise<Partial<Record<RunStatus, number>>> {
  const where = othersWhere(organizationId, selection)
  const counts = (statusesOf(selection) ?? runStatuses).map((status) => {
    const found = unionOf(where, [{ status, offset: 0, limit: atMost + 1 }], false)
    return sql`select ${status}::text as status, count(*)::int as count from (${found}) found`
  })
  if (counts.length === 0) return {}
  const { rows } = await db.execute<{ status: RunStatus; count: number }>(sql.join(counts, sql` union all `))
  return Object.fromEntries(
    rows.flatMap(({ status, count }) => (count > 0 ? [[status, count] as const] : [])),
  )
}

/** Ids of an organization's newest runs that have one of these statuses. */
export function newestOfStatuses(organizationId: number, statuses: readonly RunStatus[], limit: number): SQL {
  return newestOf(othersWhere(organizationId, {}), statuses, false, { limit, offset: 0 })
}

/** The condition that a selection represents, on `workflow_runs`. */
export function runsWhere(organizationId: number, selection: RunSelection): SQL | undefined {
  const statuses = statusesOf(selection)
  return and(
    othersWhere(organizationId, selection),
    statuses === undefined ? undefined : inArray(workflowRuns.status, [...statuses]),
  )
}

type Window = { offset: number; limit: number }

function timeOrder(isAscending: boolean): SQL[] {
  return [workflowRuns.queuedAt, workflowRuns.id].map(isAscending ? asc : desc)
}

/** From a row on, itself included. */
function fromAnchor({ at, id }: Anchor, isAscending: boolean): SQL {
  const row = sql`(${at.toISOString()}::timestamptz, ${id}::uuid)`
  const columns = sql`(${workflowRuns.queuedAt}, ${workflowRuns.id})`
  return isAscending ? sql`${columns} >= ${row}` : sql`${columns} <= ${row}`
}

function plainPage(where: SQL | undefined, order: SQL[], { limit, offset }: Window): SQL {
  return sql`select id from ${workflowRuns} where ${where} order by ${sql.join(order, sql`, `)}
    limit ${limit} offset ${offset}`
}

/** A window into the runs of each of these statuses, by their time: of each as many as the window could show. */
function newestOf(
  where: SQL | undefined,
  statuses: readonly RunStatus[],
  isAscending: boolean,
  { limit, offset }: Window,
): SQL {
  const slices = statuses.map((status) => ({ status, limit: offset + limit, offset: 0 }))
  return sql`select workflow_runs.id from (${unionOf(where, slices, isAscending)}) workflow_runs
    order by ${sql.join(timeOrder(isAscending), sql`, `)} limit ${limit} offset ${offset}`
}

/** A page by status: from the capped counts follows which statuses it shows, and from where in each. */
async function pageByStatus(db: Db, organizationId: number, filter: RunFilter, order: SQL[]): Promise<SQL> {
  const { page, limit } = filter
  const where = othersWhere(organizationId, filter)
  const statuses = (statusesOf(filter) ?? runStatuses).toSorted()
  if (filter.order === 'desc') statuses.reverse()
  const end = page * limit
  const counts = page === 1 ? {} : await countByStatus(db, organizationId, filter, end)
  const slices: Slice[] = []
  let before = 0
  for (const status of statuses) {
    const offset = Math.max(0, end - limit - before)
    if (page === 1) slices.push({ status, offset: 0, limit })
    else if (offset < (counts[status] ?? 0)) slices.push({ status, offset, limit: end - before - offset })
    before += counts[status] ?? 0
    if (before >= end) break
  }
  if (slices.length === 0) return sql`select null::uuid`
  return sql`select workflow_runs.id from (${unionOf(where, slices, false)}) workflow_runs
    order by ${sql.join(order, sql`, `)} limit ${limit}`
}

type Slice = Window & { status: RunStatus }

/**
 * Runs of each status by their time. Each status is a range with its order by status, which the index of statuses alone
 * serves: along the index of times, every run would be read until enough of a rare status were found.
 */
function unionOf(where: SQL | undefined, slices: readonly Slice[], isAscending: boolean): SQL {
  const { status, queuedAt, id } = workflowRuns
  const along = sql.join([status, queuedAt, id].map(isAscending ? asc : desc), sql`, `)
  const parts = slices.map(
    (slice) => sql`(select id, status, queued_at from ${workflowRuns}
      where ${where} and ${status} >= ${slice.status} and ${status} <= ${slice.status}
      order by ${along} limit ${slice.limit} offset ${slice.offset})`,
  )
  return sql.join(parts, sql` union all `)
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
