import type { HealthState, NetworksSummary, ParsedInput } from '@bey/contract'
import { parseAddress } from '@bey/contract/networks/ranges'
import { and, asc, desc, eq, ilike, isNull, or, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { networks } from '../../tables/networks.ts'
import { selectNetworks } from './store.ts'

type Filter = ParsedInput<'networks.list'>['query']

// The same order as `healthOfNetwork` of the contract gives; a test compares them.
const healthSql = sql<HealthState>`case ${networks.status}
  when 'error' then 'failing' when 'degraded' then 'degraded' when 'active' then 'healthy'
  when 'deleted' then 'unknown' else 'starting' end`
const healthRank = sql`array_position(array['failing', 'degraded', 'unknown', 'starting', 'healthy'], ${healthSql})`

const sortColumns: Record<Filter['sort'], SQL> = {
  name: sql`lower(${networks.name})`,
  health: healthRank,
  createdAt: sql`${networks.createdAt}`,
}

export async function listNetworks(db: Db, organizationId: number, filter: Filter) {
  const { search, health, sort, limit, page } = filter
  const where = and(
    eq(networks.organizationId, organizationId),
    isNull(networks.deletedAt),
    search ? matching(search) : undefined,
    health && sql`${healthSql} = ${health}`,
  )
  const direction = (filter.order ?? (sort === 'createdAt' ? 'desc' : 'asc')) === 'asc' ? asc : desc
  const [rows, total] = await Promise.all([
    selectNetworks(db, organizationId, where)
      .orderBy(direction(sortColumns[sort]), asc(sql`lower(${networks.name})`), asc(networks.id))
      .limit(limit)
      .offset((page - 1) * limit),
    countUpTo(db, sql`select 1 from ${networks} where ${where}`),
  ])
  return { rows, total }
}

/** An address finds the network that has it, anything else a part of the name or of the range. */
function matching(search: string): SQL | undefined {
  const part = containing(search)
  if (parseAddress(search) === undefined) return or(ilike(networks.name, part), ilike(networks.cidr, part))
  const has = (range: SQL) => sql`${search}::inet <<= ${range}::inet`
  return or(has(sql`${networks.cidr}`), has(sql`${networks.cidr6}`))
}

/** How many there are and how they are doing, whatever a list filters. */
export async function summarize(db: Db, organizationId: number): Promise<NetworksSummary> {
  const ofOrganization = and(eq(networks.organizationId, organizationId), isNull(networks.deletedAt))
  const isTroubled = sql`${healthSql} in ('failing', 'degraded')`
  const [counts] = await db
    .select({
      total: sql<number>`count(*)::int`,
      attention: sql<number>`(count(*) filter (where ${isTroubled}))::int`,
      underWay: sql<number>`(count(*) filter (where ${healthSql} = 'starting'))::int`,
    })
    .from(networks)
    .where(ofOrganization)
  const [first] = await db
    .select({ name: networks.name, reason: networks.reason })
    .from(networks)
    .where(and(ofOrganization, isTroubled))
    .orderBy(healthRank, asc(networks.statusSince), asc(networks.id))
    .limit(1)
  return {
    total: counts?.total ?? 0,
    attention: counts?.attention ?? 0,
    underWay: counts?.underWay ?? 0,
    first: first ?? null,
  }
}
