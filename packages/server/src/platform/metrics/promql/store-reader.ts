import { measuredLabel, measuredTypes, type MeasuredType } from '@bey/contract/metrics/measured'
import { sql } from 'drizzle-orm'

import { measuredTables } from '../../../tables/entity-tables.ts'
import type { Db } from '../../db/database.ts'
import type { PointStore, ReadTenant } from '../points.ts'
import { type Place, textArray } from '../series.ts'
import { finestStepMs } from '../steps.ts'
import type { Matcher } from './ast.ts'
import { compileMatcher } from './matchers.ts'
import type { SeriesLabels, SeriesReader, StoredSeries } from './reader.ts'

/** How one organization's series are read: by whom, which types of entity, at which time. */
export type StoreAccess = {
  organizationId: number
  /** Types whose series the caller may see. */
  types: readonly MeasuredType[]
  nowMs: number
  /** Where the values are. */
  points: Pick<PointStore, 'read'>
}

/** Series are noted as seen at most once an hour. */
const seenWithinMs = 2 * 3_600_000

/** Reads what Bey measures, wherever its values are kept. */
export function storeReader(readTenant: ReadTenant, access: StoreAccess): SeriesReader<Place> {
  const { organizationId, nowMs, points } = access
  return {
    select: (matchers, sinceMs) => selectSeries(readTenant, access, matchers, sinceMs),
    async read(series, range) {
      if (series.length === 0) return []
      const places = series.map(({ ref }) => ref)
      const found = await points.read(readTenant, organizationId, places, range, {
        nowMs,
        includesMaxima: false,
      })
      return found.map(({ averages }) => averages)
    },
    finestStepMs: (atMs) => finestStepMs(nowMs - atMs),
  }
}

type Row = {
  block: number
  slot: number
  type: MeasuredType
  id: string
  metric: string
  labels: Record<string, string>
}

async function selectSeries(
  readTenant: ReadTenant,
  { organizationId, types }: StoreAccess,
  matchers: readonly Matcher[],
  sinceMs: number,
): Promise<StoredSeries<Place>[]> {
  const { rows, names } = await readTenant(async (db) => {
    const found = await candidates(db, organizationId, types, matchers, sinceMs)
    return { rows: found, names: await entityNames(db, organizationId, found) }
  })
  const tests = matchers.map((matcher) => ({ label: matcher.label, fits: compileMatcher(matcher) }))
  const series: StoredSeries<Place>[] = []
  for (const { block, slot, type, id, metric, labels } of rows) {
    const name = names.get(`${type} ${id}`)
    // The entity was deleted; its series follow soon.
    if (name === undefined) continue
    const all: SeriesLabels = {
      ...labels,
      __name__: metric,
      entity: measuredLabel(type),
      [measuredLabel(type)]: name,
      id,
    }
    if (tests.every(({ label, fits }) => fits(all[label] ?? ''))) {
      series.push({ labels: all, ref: { block, slot } })
    }
  }
  return series
}

/** Rows that can match: what the database can tell is left out, the rest is tested afterwards. */
async function candidates(
  db: Db,
  organizationId: number,
  types: readonly MeasuredType[],
  matchers: readonly Matcher[],
  sinceMs: number,
): Promise<Row[]> {
  const own = new Set(['__name__', 'entity', 'id', ...measuredTypes.map(measuredLabel)])
  const equal = matchers.filter(({ operator, value }) => operator === '=' && value !== '')
  const labels = Object.fromEntries(
    equal.filter(({ label }) => !own.has(label)).map(({ label, value }) => [label, value]),
  )
  const conditions = [
    sql`s.organization_id = ${organizationId}`,
    sql`s.entity_type = any(${textArray(types)})`,
  ]
  for (const { label, value } of equal) {
    if (label === '__name__') conditions.push(sql`s.metric = ${value}`)
    if (label === 'id') conditions.push(sql`s.entity_id = ${value}`)
  }
  if (Object.keys(labels).length > 0) conditions.push(sql`s.labels @> ${JSON.stringify(labels)}::jsonb`)
  // Before the year 1 there are no times in PostgreSQL as JavaScript writes them, and before 1970 no series.
  const seenSince = new Date(Math.max(0, sinceMs - seenWithinMs)).toISOString()
  const { rows } = await db.execute<Row>(sql`
    select s.block, s.slot, s.entity_type as type, s.entity_id as id, s.metric, s.labels
    from metric_series s
    where ${sql.join(conditions, sql` and `)} and s.last_seen_at >= ${seenSince}
    order by s.block, s.slot`)
  return rows
}

/** Names of the entities that have series, those that are not deleted. */
async function entityNames(
  db: Db,
  organizationId: number,
  rows: readonly Row[],
): Promise<Map<string, string>> {
  const ids = new Map<MeasuredType, Set<string>>()
  for (const { type, id } of rows) {
    const known = ids.get(type)
    if (known) known.add(id)
    else ids.set(type, new Set([id]))
  }
  const names = new Map<string, string>()
  for (const [type, wanted] of ids) {
    const { name, id = 'id', label, deletedAt } = measuredTables[type]
    const isThere = sql.raw(deletedAt === undefined ? 'true' : `${deletedAt} is null`)
    const found = await db.execute<{ id: string; name: string }>(sql`
      select t.${sql.raw(id)}::text as id, ${sql.raw(label)} as name from ${sql.raw(name)} t
      where t.organization_id = ${organizationId} and t.${sql.raw(id)}::text = any(${textArray([...wanted])}) and ${isThere}`)
    for (const row of found.rows) names.set(`${type} ${row.id}`, row.name)
  }
  return names
}
