import { sql } from 'drizzle-orm'

import type { Db } from '../db/database.ts'
import { intArray, type Place, textArray } from './series.ts'
import { floorTo, steps } from './steps.ts'

export type PlacedValue = Place & { value: number }

/**
 * Writes values of one moment, a statement whatever their number. A value that is there already is replaced, one that
 * comes late joins those of its step; the minute is marked to be rolled up (again).
 */
export async function writeSamples(
  db: Db,
  organizationId: number,
  atMs: number,
  values: readonly PlacedValue[],
): Promise<void> {
  if (values.length === 0) return
  const blocks = blocksOf(values)
  const at = new Date(floorTo(atMs, steps.sample.stepMs)).toISOString()
  await db.execute(sql`
    insert into metric_samples as s (organization_id, block, at, readings)
    select ${organizationId}, n.block, ${at}::timestamptz, n.readings::real[]
    from unnest(${intArray([...blocks.keys()])}, ${textArray([...blocks.values()].map(arrayText))}) n (block, readings)
    on conflict (organization_id, block, at) do update set readings = (
      select array_agg(coalesce(m.new, m.old) order by m.slot)
      from unnest(s.readings, excluded.readings) with ordinality m (old, new, slot))`)
  await markPending(db, organizationId, 'minute', floorTo(atMs, steps.minute.stepMs))
}

/** The mark is locked, so that who rolls up at this moment leaves it for the next time. */
async function markPending(
  db: Db,
  organizationId: number,
  step: 'minute' | 'hour',
  atMs: number,
): Promise<void> {
  await db.execute(sql`
    insert into metric_pending (organization_id, step, at)
    values (${organizationId}, ${step}, ${new Date(atMs).toISOString()})
    on conflict (organization_id, step, at) do update set at = excluded.at`)
}

function blocksOf(values: readonly PlacedValue[]): Map<number, number[]> {
  const blocks = new Map<number, number[]>()
  for (const { block, slot, value } of values) {
    let readings = blocks.get(block)
    if (!readings) blocks.set(block, (readings = []))
    readings[slot - 1] = value
  }
  return blocks
}

/** PostgreSQL's own notation; places without a value are null. */
function arrayText(readings: readonly number[]): string {
  let text = '{'
  for (let index = 0; index < readings.length; index += 1) {
    const value = readings[index]
    // Seven digits are what a real holds.
    text += `${index === 0 ? '' : ','}${value === undefined ? 'null' : Number(value.toPrecision(7))}`
  }
  return `${text}}`
}
