import { sql } from 'drizzle-orm'

import type { Db } from '../db/database.ts'
import { intArray, type MeasuredEntity, type Place, type SeriesName, textArray } from './series.ts'
import { finestStepMs, floorTo, steps } from './steps.ts'

export type AskedSeries = SeriesName & { entity: MeasuredEntity }

/** What a series was in each step of a range, the first at `fromMs`. Null where nothing was measured. */
export type Points = { averages: (number | null)[]; maxima: (number | null)[] }

export type ReadRange = { fromMs: number; toMs: number; stepMs: number }

/** Where series are, in the order asked; undefined for those that were never written. */
export async function findPlaces(
  db: Db,
  organizationId: number,
  asked: readonly AskedSeries[],
): Promise<(Place | undefined)[]> {
  const { rows } = await db.execute<{ position: string; block: number; slot: number }>(sql`
    select a.position, s.block, s.slot
    from unnest(${textArray(asked.map(({ entity }) => entity.type))},
      ${textArray(asked.map(({ entity }) => entity.id))},
      ${textArray(asked.map(({ metric }) => metric))},
      ${textArray(asked.map(({ labels }) => JSON.stringify(labels ?? {})))})
      with ordinality a (type, id, metric, labels, position)
    join metric_series s on s.organization_id = ${organizationId} and s.entity_type = a.type
      and s.entity_id = a.id and s.metric = a.metric and s.labels = a.labels::jsonb`)
  const places: (Place | undefined)[] = asked.map(() => undefined)
  for (const { position, block, slot } of rows) places[Number(position) - 1] = { block, slot }
  return places
}

/**
 * Points of series at each place, from the coarsest table that has the step, and from the finer ones for what is not
 * rolled up yet. Bounds are multiples of the step.
 */
export async function readPoints(
  db: Db,
  organizationId: number,
  places: readonly (Place | undefined)[],
  { fromMs, toMs, stepMs }: ReadRange,
  nowMs: number,
): Promise<Points[]> {
  const count = Math.round((toMs - fromMs) / stepMs)
  const found = places.flatMap((place, index) => (place ? [{ ...place, index }] : []))
  const points = places.map(() => ({
    averages: Array.from({ length: count }, (): number | null => null),
    maxima: Array.from({ length: count }, (): number | null => null),
  }))
  if (found.length === 0) return points
  const bounds = await boundsOf(db, organizationId, { fromMs, toMs, stepMs }, nowMs)
  const { rows } = await db.execute<{ index: number; bin: number; average: number; maximum: number }>(sql`
    with asked as (
      select * from unnest(${intArray(found.map(({ block }) => block))}, ${intArray(found.map(({ slot }) => slot))},
        ${intArray(found.map(({ index }) => index))}) a (block, slot, index)
    ), parts as (
      select a.index, p.at, p.averages[a.slot] as average, p.maxima[a.slot] as maximum, 3600 as weight
      from asked a join metric_hours p on p.organization_id = ${organizationId} and p.block = a.block
      where p.at >= ${iso(fromMs)} and p.at < ${iso(bounds.hoursEndMs)}
      union all
      select a.index, p.at, p.averages[a.slot], p.maxima[a.slot], 60
      from asked a join metric_minutes p on p.organization_id = ${organizationId} and p.block = a.block
      where p.at >= ${iso(bounds.hoursEndMs)} and p.at < ${iso(bounds.minutesEndMs)}
      union all
      select a.index, p.at, p.readings[a.slot], p.readings[a.slot], 15
      from asked a join metric_samples p on p.organization_id = ${organizationId} and p.block = a.block
      where p.at >= ${iso(bounds.minutesEndMs)} and p.at < ${iso(toMs)}
    )
    select index, floor((extract(epoch from at)::float8 * 1000 - ${fromMs}::float8) / ${stepMs}::float8)::int as bin,
      sum(average::float8 * weight) / sum(weight) as average, max(maximum)::float8 as maximum
    from parts where average is not null
    group by 1, 2`)
  for (const { index, bin, average, maximum } of rows) {
    const series = points[index]
    if (!series || bin < 0 || bin >= count) continue
    series.averages[bin] = average
    series.maxima[bin] = maximum
  }
  return points
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Up to when each table is read. What waits to be rolled up is read from what it will be made of. */
async function boundsOf(
  db: Db,
  organizationId: number,
  { fromMs, toMs, stepMs }: ReadRange,
  nowMs: number,
): Promise<{ hoursEndMs: number; minutesEndMs: number }> {
  const { rows } = await db.execute<{ minute_ms: number | null; hour_ms: number | null }>(sql`
    select extract(epoch from min(at) filter (where step = 'minute'))::float8 * 1000 as minute_ms,
      extract(epoch from min(at) filter (where step = 'hour'))::float8 * 1000 as hour_ms
    from metric_pending where organization_id = ${organizationId}`)
  const [pending] = rows
  const within = (ms: number, leastMs: number) => Math.min(toMs, Math.max(fromMs, leastMs, ms))
  const finest = finestStepMs(nowMs - fromMs)
  const usesHours = stepMs >= steps.hour.stepMs || finest >= steps.hour.stepMs
  const usesMinutes = usesHours || stepMs >= steps.minute.stepMs || finest >= steps.minute.stepMs
  // Finer points than are kept any more cannot be read, whatever waits.
  const minutesSince = floorTo(nowMs - steps.minute.keptMs, steps.hour.stepMs) + steps.hour.stepMs
  const samplesSince = floorTo(nowMs - steps.sample.keptMs, steps.minute.stepMs) + steps.minute.stepMs
  const hoursEndMs = usesHours
    ? within(pending?.hour_ms ?? floorTo(nowMs, steps.hour.stepMs), minutesSince)
    : fromMs
  const minutesEndMs = usesMinutes
    ? Math.max(hoursEndMs, within(pending?.minute_ms ?? floorTo(nowMs, steps.minute.stepMs), samplesSince))
    : fromMs
  return { hoursEndMs, minutesEndMs }
}
