import { sql } from 'drizzle-orm'

import type { Db } from '../db/database.ts'
import { addSeries, type MeasuredEntity, seriesKey, type SeriesName, textArray } from './series.ts'
import { steps } from './steps.ts'

/** A series with its value at each of the moments of a past. */
export type PastSeries = SeriesName & { values: readonly number[] }

/** A seeded cluster has a few hundred series. */
const seedQuota = { series: 20_000, ofDays: 20_000 }

type Row = { atMs: number; readings: string }

/**
 * Writes a past of an entity, each moment into every table that still keeps its step. For seeded data alone: what is
 * measured goes through the writer. A step that has a row already keeps it.
 */
export async function backfill(
  db: Db,
  { organizationId, entity, now }: { organizationId: number; entity: MeasuredEntity; now: Date },
  momentsMs: readonly number[],
  series: readonly PastSeries[],
): Promise<void> {
  const added = series.map(({ metric, labels }) => ({
    metric,
    span: 'year' as const,
    ...(labels && { labels }),
  }))
  const { places } = await addSeries(db, { organizationId, entity, at: now }, added, seedQuota)
  const blocks = new Map<number, PastSeries[]>()
  for (const each of series) {
    const place = places.get(seriesKey(each))
    if (place === undefined) continue
    const members = blocks.get(place.block) ?? []
    members[place.slot - 1] = each
    blocks.set(place.block, members)
  }
  const sinceMs = (keptMs: number) => now.getTime() - keptMs
  for (const [block, members] of blocks) {
    const rows = momentsMs.map((atMs, index) => ({ atMs, readings: readingsOf(members, index) }))
    const within = (keptMs: number) => rows.filter(({ atMs }) => atMs > sinceMs(keptMs))
    const hours = rows.filter(({ atMs }) => atMs % steps.hour.stepMs === 0)
    // The hours of the day that minutes are kept of are rolled up from those.
    await insertRolledUp(db, organizationId, block, 'metric_hours', hours)
    await insertRolledUp(db, organizationId, block, 'metric_minutes', within(steps.minute.keptMs))
    const samples = within(steps.sample.keptMs).flatMap(({ atMs, readings }) =>
      [0, 1, 2, 3].map((quarter) => ({ atMs: atMs + quarter * steps.sample.stepMs, readings })),
    )
    await insertSamples(db, organizationId, block, samples)
  }
}

/** PostgreSQL's own notation; slots of other series are null. */
function readingsOf(members: readonly (PastSeries | undefined)[], index: number): string {
  const values = Array.from(members, (each) => each?.values[index] ?? 'null')
  return `{${values.join(',')}}`
}

const times = (rows: readonly Row[]) => textArray(rows.map(({ atMs }) => new Date(atMs).toISOString()))
const texts = (rows: readonly Row[]) => textArray(rows.map(({ readings }) => readings))

async function insertRolledUp(
  db: Db,
  organizationId: number,
  block: number,
  table: 'metric_hours' | 'metric_minutes',
  rows: readonly Row[],
): Promise<void> {
  await db.execute(sql`
    insert into ${sql.identifier(table)} (organization_id, block, at, averages, maxima)
    select ${organizationId}, ${block}, r.at::timestamptz, r.readings::real[], r.readings::real[]
    from unnest(${times(rows)}, ${texts(rows)}) r (at, readings) on conflict do nothing`)
}

async function insertSamples(
  db: Db,
  organizationId: number,
  block: number,
  rows: readonly Row[],
): Promise<void> {
  await db.execute(sql`
    insert into metric_samples (organization_id, block, at, readings)
    select ${organizationId}, ${block}, r.at::timestamptz, r.readings::real[]
    from unnest(${times(rows)}, ${texts(rows)}) r (at, readings) on conflict do nothing`)
}
