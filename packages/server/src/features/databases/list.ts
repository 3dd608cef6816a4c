import {
  databaseHealthFrom,
  diskQuotaLimits,
  type HealthState,
  type ParsedInput,
  restorableStatuses,
} from '@bey/contract'
import { and, asc, desc, eq, ilike, isNull, isNotNull, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { databases } from '../../tables/databases.ts'
import { selectDatabases } from './store.ts'

type Filter = ParsedInput<'databases.list'>['query']

const from = databaseHealthFrom
const figure = (name: string) => sql`(${databases.figures} ->> ${sql.raw(`'${name}'`)})::float8`
const quota = sql`(${databases.figures} -> 'diskQuota')`

// The same as `healthOfDatabase` of the contract says of a row; a test compares them.
const healthSql = sql<HealthState>`case
  when ${databases.status} in ('unreachable', 'error') then 'failing'
  when ${databases.status} = 'available' and (${quota} ->> 'isRefusing')::boolean then 'failing'
  when ${databases.status} = 'degraded' and (${databases.cnpg} -> 'observed' ->> 'isPhaseUnknown')::boolean then 'unknown'
  when ${databases.status} = 'degraded' then 'degraded'
  when ${databases.status} = 'available' and (
    ${figure('connections')} >= ${from.connections} * greatest(1, ${figure('maxConnections')})
    or ${figure('longestLockWaitMs')} >= ${from.lockWaitMs}
    or ${figure('longestIdleInTransactionMs')} >= ${from.idleInTransactionMs}
    or ${figure('frozenAge')} >= ${from.frozenAge}
    or ${figure('sizeBytes')} >= ${from.size} * ${figure('sizeLimitBytes')}
    or (${quota} ->> 'usedBytes')::float8 >= ${diskQuotaLimits.warnFrom[0]} * (${quota} ->> 'limitBytes')::float8
    or ${databases.backupTrouble} is not null) then 'degraded'
  when ${databases.status} in ('available', 'hibernated') then 'healthy'
  when ${databases.status} = 'deleted' then 'unknown'
  else 'starting' end`

const healthRank = sql`array_position(array['failing', 'degraded', 'unknown', 'starting', 'healthy'], ${healthSql})`

const sortColumns: Record<Filter['sort'], SQL> = {
  name: sql`lower(${databases.name})`,
  health: healthRank,
  createdAt: sql`${databases.createdAt}`,
}

export async function listDatabases(db: Db, organizationId: number, filter: Filter) {
  const { search, provider, status, health, sort, limit, page } = filter
  const where = and(
    eq(databases.organizationId, organizationId),
    status === 'deleted' ? isNotNull(databases.deletedAt) : isNull(databases.deletedAt),
    search ? ilike(databases.name, containing(search)) : undefined,
    provider && eq(databases.provider, provider),
    status && eq(databases.status, status),
    health && sql`${healthSql} = ${health}`,
  )
  const direction = (filter.order ?? (sort === 'createdAt' ? 'desc' : 'asc')) === 'asc' ? asc : desc
  const [rows, total] = await Promise.all([
    selectDatabases(db, organizationId, where)
      .orderBy(direction(sortColumns[sort]), asc(sql`lower(${databases.name})`), asc(databases.id))
      .limit(limit)
      .offset((page - 1) * limit),
    countUpTo(db, sql`select 1 from ${databases} where ${where}`),
  ])
  return { rows, total }
}

const ofDatabase = sql`r.organization_id = ${databases.organizationId} and r.database_id = ${databases.id}`
const endedDrill = sql`r.kind = 'drill' and r.proof is not null and r.finished_at is not null`
const isBackedUp = sql`(exists (select from database_backups r where ${ofDatabase}
    and r.status = any (${sql.param([...restorableStatuses])}::text[]))
  or exists (select from database_restores r where ${ofDatabase} and ${endedDrill}))`
const isProven = sql`(select r.proof = 'passed' from database_restores r where ${ofDatabase} and ${endedDrill}
  order by r.id desc limit 1)`

/** How many there are and how they are doing, whatever a list filters. */
export async function summarize(db: Db, organizationId: number) {
  const [row] = await db
    .select({
      total: sql<number>`count(*)::int`,
      unreachable: sql<number>`(count(*) filter (where ${databases.status} = 'unreachable'))::int`,
      unreachableSince: sql<Date | null>`min(${databases.statusSince}) filter (where ${databases.status} = 'unreachable')`,
      attention: sql<number>`(count(*) filter (where ${healthSql} in ('failing', 'degraded')))::int`,
      backedUp: sql<number>`(count(*) filter (where ${isBackedUp}))::int`,
      proven: sql<number>`(count(*) filter (where ${isBackedUp} and ${isProven}))::int`,
    })
    .from(databases)
    .where(and(eq(databases.organizationId, organizationId), isNull(databases.deletedAt)))
  const since = row?.unreachableSince
  return {
    total: row?.total ?? 0,
    unreachable: row?.unreachable ?? 0,
    unreachableSince: since == null ? null : new Date(since).toISOString(),
    attention: row?.attention ?? 0,
    backedUp: row?.backedUp ?? 0,
    proven: row?.proven ?? 0,
  }
}
