import type { AuditClass, AuditOutcome } from '@bey/contract'
import { type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import type { AuditCursor } from './cursor.ts'

export type AuditFilter = {
  search?: string | undefined
  actor?: string | undefined
  actorName?: string | undefined
  action?: string | undefined
  class?: AuditClass | undefined
  targetType?: string | undefined
  targetId?: string | undefined
  object?: string | undefined
  outcome?: AuditOutcome | undefined
  ip?: string | undefined
  requestId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** More texts than these that contain what is searched for make the entries themselves the quicker way. */
const maxTerms = 200

/** An announcement whose end is known is left out: the entry of the end says the same and more. */
const isNotRepeated = sql`not (e.outcome = 'unknown' and exists (
  select from audit_entries o where o.organization_id = e.organization_id and o.intent_id = e.id))`

/** Up to so many values of a field are looked up one by one. */
const maxBranchValues = 10

const newestFirst = sql`order by e.at desc, e.seq desc`

/**
 * A select of `at` and `seq` of the newest entries that match. Each branch reads an index in the order of time and stops
 * after `limit` rows, so that it takes as long with a million entries as with a thousand. `isCount`: any that match, for
 * sorting would read all of them.
 */
export async function matching(
  db: Db,
  organizationId: number,
  filter: AuditFilter,
  {
    before,
    limit,
    isComplete = false,
    isCount = false,
  }: { before?: AuditCursor; limit: number; isComplete?: boolean; isCount?: boolean },
): Promise<SQL> {
  const conditions = [
    sql`e.organization_id = ${organizationId}`,
    ...fieldConditions(filter),
    ...(before ? [sql`(e.at, e.seq) < (${before.at}, ${before.seq})`] : []),
    ...(isComplete ? [] : [isNotRepeated]),
  ]
  const order = isCount ? sql`` : newestFirst
  const select = (...more: SQL[]) =>
    sql`select e.at, e.seq from audit_entries e where ${sql.join([...conditions, ...more], sql` and `)}
      ${order} limit ${limit}`
  const { search } = filter
  if (!search) return select()
  const branches = await searchBranches(db, organizationId, search, select)
  return sql`select e.at, e.seq from (${sql.join(
    branches.map((branch) => sql`(${branch})`),
    sql` union `,
  )}) e ${order} limit ${limit}`
}

function fieldConditions(filter: AuditFilter): SQL[] {
  const equal: [SQL, string | undefined][] = [
    [sql`e.actor_id`, filter.actor],
    [sql`e.action`, filter.action],
    [sql`e.class`, filter.class],
    [sql`e.target_type`, filter.targetType],
    [sql`e.target_id`, filter.targetId],
    [sql`e.object_key`, filter.object],
    [sql`e.outcome`, filter.outcome],
    [sql`e.ip`, filter.ip],
    [sql`e.request_id`, filter.requestId],
  ]
  return [
    ...equal.flatMap(([column, value]) => (value === undefined ? [] : [sql`${column} = ${value}`])),
    // The planner knows the index of what did not succeed by its own condition.
    ...(filter.outcome !== undefined && filter.outcome !== 'success' ? [sql`e.outcome <> 'success'`] : []),
    ...(filter.actorName === undefined
      ? []
      : [sql`e.actor_id is null and e.actor_display = ${filter.actorName}`]),
    ...(filter.from === undefined ? [] : [sql`e.at >= ${new Date(filter.from)}`]),
    ...(filter.to === undefined ? [] : [sql`e.at < ${new Date(filter.to)}`]),
  ]
}

type Term = { field: 'actor' | 'actor_email' | 'action' | 'target' | 'ip'; value: string; id: string }

/** One select for each field in which the text was found, and one for request ids. */
async function searchBranches(
  db: Db,
  organizationId: number,
  search: string,
  select: (...more: SQL[]) => SQL,
): Promise<SQL[]> {
  const part = containing(search)
  const { rows } = await db.execute<Term>(sql`
    select field, value, id from audit_terms
    where organization_id = ${organizationId} and value ilike ${part} limit ${maxTerms + 1}`)
  const byRequest = select(sql`e.request_id = ${search}`)
  const columns = [sql`e.actor_display`, sql`e.actor_email`, sql`e.action`, sql`e.target_name`, sql`e.ip`]
  const inAny = sql.join(
    columns.map((column) => sql`${column} ilike ${part}`),
    sql` or `,
  )
  if (rows.length > maxTerms) return [select(sql`(${inAny})`), byRequest]
  const valuesOf = (field: Term['field']) => rows.filter((row) => row.field === field)
  const actors = [...valuesOf('actor'), ...valuesOf('actor_email')]
  const ids = actors.flatMap(({ id }) => (id === '' ? [] : [id]))
  const names = actors.flatMap(({ id, value }) => (id === '' ? [value] : []))
  const texts = (field: Term['field']) => valuesOf(field).map(({ value }) => value)
  return [
    byRequest,
    // The texts of entries that wait for their link are not noted yet.
    select(
      sql`e.seq = any (array(select p.seq from audit_pending p where p.organization_id = ${organizationId}))`,
      sql`(${inAny})`,
    ),
    ...each(select, sql`e.actor_id`, ids),
    ...each(select, sql`e.actor_id is null and e.actor_display`, names),
    ...each(select, sql`e.action`, texts('action')),
    ...each(select, sql`e.target_name`, texts('target')),
    ...each(select, sql`e.ip`, texts('ip')),
  ]
}

function each(select: (...more: SQL[]) => SQL, column: SQL, values: string[]): SQL[] {
  if (values.length === 0) return []
  const list = sql.param([...new Set(values)])
  // Of many values the statistics say better whether to read them or the newest entries.
  if (values.length > maxBranchValues) return [select(sql`${column} = any (${list}::text[])`)]
  const found = select(sql`${column} = v.value`)
  return [
    sql`select e.at, e.seq from unnest(${list}::text[]) v(value)
      cross join lateral (${found}) e`,
  ]
}
