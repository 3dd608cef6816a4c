import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'

export const minuteMs = 60_000
export const quarterMs = 15 * minuteMs
/** Samples of a quarter that come later than this are not metered any more. */
const graceMs = 2 * minuteMs
/** Of the two days for which minutes are kept. */
const keptMs = 47 * 60 * minuteMs
/** Quarters that are metered at once. */
const atOnce = 8

/** What is metered from its measurements: a cluster or a database. */
export type Metered = { type: 'cluster' | 'database'; id: string; name: string }

/**
 * The closed quarters of an hour that are to be metered next, at most two hours of them; undefined while there is none.
 * What the store of metrics does not keep in minutes any more is not metered: `skipped`.
 */
export async function nextQuarters(
  db: Db,
  organizationId: number,
  { type, id }: Metered,
  sinceMs: number,
  nowMs: number,
): Promise<{ fromMs: number; toMs: number; skipped: { fromMs: number; toMs: number }[] } | undefined> {
  const { rows } = await db.execute<{ ms: number }>(sql`
    select extract(epoch from metered_to)::float8 * 1000 as ms from usage_marks
    where organization_id = ${organizationId} and entity_type = ${type} and entity_id = ${id}`)
  const least = Math.floor((nowMs - keptMs) / quarterMs) * quarterMs
  const markedMs = rows[0]?.ms
  const fromMs = Math.max(least, markedMs ?? Math.floor(sinceMs / quarterMs) * quarterMs)
  const skipped = markedMs !== undefined && markedMs < fromMs ? [{ fromMs: markedMs, toMs: fromMs }] : []
  const closedMs = lastClosedMs(nowMs)
  const toMs = Math.min(closedMs, fromMs + atOnce * quarterMs)
  return toMs > fromMs ? { fromMs, toMs, skipped } : undefined
}

/** The end of the last quarter of an hour whose samples have all come. */
export const lastClosedMs = (nowMs: number) => Math.floor((nowMs - graceMs) / quarterMs) * quarterMs

/** Where metering goes on, and the times of which there were no samples. In the transaction of the events. */
export async function saveMark(
  db: Db,
  organizationId: number,
  { type, id, name }: Metered,
  toMs: number,
  gaps: readonly { fromMs: number; toMs: number }[],
): Promise<void> {
  await db.execute(sql`
    insert into usage_marks (organization_id, entity_type, entity_id, metered_to)
    values (${organizationId}, ${type}, ${id}, ${new Date(toMs).toISOString()}::timestamptz)
    on conflict (organization_id, entity_type, entity_id)
    do update set metered_to = greatest(usage_marks.metered_to, excluded.metered_to)`)
  for (const gap of gaps) {
    await db.execute(sql`
      insert into usage_gaps (organization_id, entity_type, entity_id, name, from_at, to_at)
      values (${organizationId}, ${type}, ${id}, ${name}, ${new Date(gap.fromMs).toISOString()}::timestamptz,
        ${new Date(gap.toMs).toISOString()}::timestamptz)
      on conflict do nothing`)
  }
}

/** Times of two minutes and more without a sample. `minutes` are those of a range that begins at `fromMs`. */
export function gapsOf(
  minutes: readonly (number | null)[],
  fromMs: number,
  sinceMs: number,
): { fromMs: number; toMs: number }[] {
  const gaps: { fromMs: number; toMs: number }[] = []
  let beginMs: number | undefined
  for (let index = 0; index <= minutes.length; index += 1) {
    const at = fromMs + index * minuteMs
    const isMissing = index < minutes.length && minutes[index] === null && at >= sinceMs
    if (isMissing) beginMs ??= at
    else if (beginMs !== undefined) {
      if (at - beginMs >= 2 * minuteMs) gaps.push({ fromMs: beginMs, toMs: at })
      beginMs = undefined
    }
  }
  return gaps
}

/** Values of the minutes of each quarter, added up and in hours: minutes without a sample do not count. */
export function hoursByQuarter(minutes: readonly (number | null)[]): number[] {
  const perQuarter = quarterMs / minuteMs
  return Array.from({ length: Math.ceil(minutes.length / perQuarter) }, (_none, quarter) =>
    minutes
      .slice(quarter * perQuarter, (quarter + 1) * perQuarter)
      .reduce<number>((sum, value) => sum + (value ?? 0) / 60, 0),
  )
}
