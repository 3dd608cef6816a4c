import { sql } from 'drizzle-orm'

import type { SeriesSpan } from '../../tables/metric-series.ts'
import type { Db } from '../db/database.ts'

type Labels = Readonly<Record<string, string>>

/** The thing that is measured: a row of the product, of the organization in question. */
export type MeasuredEntity = { type: string; id: string }

/** What is measured of an entity. No labels: of the entity as a whole. */
export type SeriesName = { metric: string; labels?: Labels }

/** Where the points of a series are: an element of the arrays of a block. */
export type Place = { block: number; slot: number }

export type NewSeries = SeriesName & { span: SeriesSpan }

/** Series whose points share a row. */
export const slotsPerBlock = 128

/** The same text for the same metric and labels, whatever the order of the labels. */
export function seriesKey({ metric, labels }: SeriesName): string {
  if (!labels) return metric
  let key = metric
  for (const name of Object.keys(labels).sort()) key += `\n${name}\n${labels[name]}`
  return key
}

/** Every series of an entity by its key. */
export async function loadSeries(
  db: Db,
  organizationId: number,
  entity: MeasuredEntity,
): Promise<Map<string, Place & { span: SeriesSpan; lastSeenAtMs: number }>> {
  const { rows } = await db.execute<{
    block: number
    slot: number
    metric: string
    labels: Record<string, string>
    span: SeriesSpan
    seen_ms: number
  }>(sql`
    select block, slot, metric, labels, span, extract(epoch from last_seen_at)::float8 * 1000 as seen_ms
    from metric_series
    where organization_id = ${organizationId} and entity_type = ${entity.type} and entity_id = ${entity.id}`)
  return new Map(
    rows.map(({ block, slot, metric, labels, span, seen_ms: lastSeenAtMs }) => [
      seriesKey({ metric, labels }),
      { block, slot, span, lastSeenAtMs },
    ]),
  )
}

/** Series that an organization may have: all of them, and those that are kept for days. */
export type Quota = { series: number; ofDays: number }

/**
 * Adds series of an entity, in the order given, until the quota is used up. Holds the organization's quota until the
 * transaction ends, so that two processes cannot give one place away twice. Answers every series of the entity, and
 * how many were refused.
 */
export async function addSeries(
  db: Db,
  of: { organizationId: number; entity: MeasuredEntity; at: Date },
  added: readonly NewSeries[],
  quota: Quota,
): Promise<{ places: Map<string, Place & { lastSeenAtMs: number }>; refused: number }> {
  const { organizationId, entity, at } = of
  const { rows } = await db.execute<{ last_block: number }>(sql`
    insert into metric_quotas as q (organization_id) values (${organizationId})
    on conflict (organization_id) do update set last_block = q.last_block
    returning last_block`)
  // Another process may have added some of them while this one waited.
  const known = await loadSeries(db, organizationId, entity)
  const counts = await countSeries(db, organizationId)
  const free = freeSlots(known.values())
  let lastBlock = rows[0]?.last_block ?? 0
  const taken: (NewSeries & Place)[] = []
  let refused = 0
  for (const series of added) {
    const key = seriesKey(series)
    if (known.has(key)) continue
    if (counts.all >= quota.series || (series.span === 'days' && counts.ofDays >= quota.ofDays)) {
      refused += 1
      continue
    }
    counts.all += 1
    if (series.span === 'days') counts.ofDays += 1
    let place = free[series.span].pop()
    if (!place) {
      const block = (lastBlock += 1)
      // Popped from the end, so that slots fill from the first.
      for (let slot = slotsPerBlock; slot > 1; slot -= 1) free[series.span].push({ block, slot })
      place = { block, slot: 1 }
    }
    taken.push({ ...series, ...place })
    known.set(key, { ...place, span: series.span, lastSeenAtMs: at.getTime() })
  }
  await insertSeries(db, of, taken)
  await db.execute(sql`
    update metric_quotas set last_block = ${lastBlock}
      ${refused > 0 ? sql`, refused_at = ${at.toISOString()}, refused_count = ${refused}` : sql``}
    where organization_id = ${organizationId}`)
  return { places: known, refused }
}

/** Notes that series are still there. Answers the keys of those that are: others were swept meanwhile. */
export async function touchSeries(
  db: Db,
  organizationId: number,
  places: readonly Place[],
  at: Date,
): Promise<Set<string>> {
  const { rows } = await db.execute<{ metric: string; labels: Record<string, string> }>(sql`
    update metric_series s set last_seen_at = ${at.toISOString()}
    from unnest(${intArray(places.map(({ block }) => block))}, ${intArray(places.map(({ slot }) => slot))}) p (block, slot)
    where s.organization_id = ${organizationId} and s.block = p.block and s.slot = p.slot
    returning s.metric, s.labels`)
  return new Set(rows.map(seriesKey))
}

/** An array parameter: one value whatever its length, where drizzle would write a placeholder an element. */
export const intArray = (values: readonly number[]) => sql`${`{${values.join(',')}}`}::int[]`

export const textArray = (values: readonly string[]) => sql`${sql.param(values)}::text[]`

async function countSeries(db: Db, organizationId: number): Promise<{ all: number; ofDays: number }> {
  const { rows } = await db.execute<{ all: number; of_days: number }>(sql`
    select count(*)::int as all, count(*) filter (where span = 'days')::int as of_days
    from metric_series where organization_id = ${organizationId}`)
  return { all: rows[0]?.all ?? 0, ofDays: rows[0]?.of_days ?? 0 }
}

/** Places of series that have gone, in the blocks of this entity: what lay there has run out. */
function freeSlots(known: Iterable<Place & { span: SeriesSpan }>): Record<SeriesSpan, Place[]> {
  const used = new Map<number, { span: SeriesSpan; slots: Set<number> }>()
  for (const { block, slot, span } of known) {
    const found = used.get(block) ?? { span, slots: new Set() }
    used.set(block, found)
    found.slots.add(slot)
  }
  const free: Record<SeriesSpan, Place[]> = { days: [], year: [] }
  for (const [block, { span, slots }] of used) {
    for (let slot = slotsPerBlock; slot > 0; slot -= 1) if (!slots.has(slot)) free[span].push({ block, slot })
  }
  return free
}

async function insertSeries(
  db: Db,
  { organizationId, entity, at }: { organizationId: number; entity: MeasuredEntity; at: Date },
  taken: readonly (NewSeries & Place)[],
): Promise<void> {
  if (taken.length === 0) return
  await db.execute(sql`
    insert into metric_series (organization_id, block, slot, entity_type, entity_id, metric, labels, span, last_seen_at)
    select ${organizationId}, n.block, n.slot, ${entity.type}, ${entity.id}, n.metric, n.labels::jsonb, n.span,
      ${at.toISOString()}
    from unnest(${intArray(taken.map(({ block }) => block))}, ${intArray(taken.map(({ slot }) => slot))},
      ${textArray(taken.map(({ metric }) => metric))},
      ${textArray(taken.map(({ labels }) => JSON.stringify(labels ?? {})))},
      ${textArray(taken.map(({ span }) => span))}) n (block, slot, metric, labels, span)`)
}
