import { sql } from 'drizzle-orm'

import type { Database, Db } from '../db/database.ts'
import { steps } from './steps.ts'

/** Samples come some seconds after the moment that they are of. */
const graceMs = 30_000
/** Steps of one organization that are rolled up in one transaction. */
const stepsAtOnce = 60

type Target = 'minute' | 'hour'

/**
 * Rolls up what is due: of each step from the whole of its points, so that a second time writes the same. Several
 * processes share the work; what one of them holds, the others leave.
 */
export async function rollUp(database: Pick<Database, 'asSystem'>, now: Date): Promise<void> {
  // Minutes first: they are what hours are made of.
  for (const step of ['minute', 'hour'] as const) {
    const due = new Date(now.getTime() - steps[step].stepMs - graceMs)
    const organizations = await database.asSystem('roll up metrics', (db) =>
      organizationsWithPending(db, step, due),
    )
    for (const organizationId of organizations) {
      for (;;) {
        const count = await database.asSystem('roll up metrics', (db) =>
          rollUpSome(db, organizationId, step, due),
        )
        if (count < stepsAtOnce) break
      }
    }
  }
}

async function organizationsWithPending(db: Db, step: Target, due: Date): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select distinct organization_id as id from metric_pending where step = ${step} and at <= ${due.toISOString()}`)
  return rows.map(({ id }) => id)
}

async function rollUpSome(db: Db, organizationId: number, step: Target, due: Date): Promise<number> {
  const { rows } = await db.execute<{ at_ms: number }>(sql`
    delete from metric_pending p using (
      select at from metric_pending
      where organization_id = ${organizationId} and step = ${step} and at <= ${due.toISOString()}
      order by at limit ${stepsAtOnce} for update skip locked
    ) d
    where p.organization_id = ${organizationId} and p.step = ${step} and p.at = d.at
    returning extract(epoch from p.at)::float8 * 1000 as at_ms`)
  const times = rows.map((row) => row.at_ms)
  for (const atMs of times) {
    if (step === 'minute') await rollUpMinute(db, organizationId, atMs)
    else await rollUpHour(db, organizationId, atMs)
  }
  return times.length
}

const iso = (ms: number) => new Date(ms).toISOString()

async function rollUpMinute(db: Db, organizationId: number, atMs: number): Promise<void> {
  await db.execute(sql`
    insert into metric_minutes (organization_id, block, at, averages, maxima)
    select ${organizationId}, v.block, ${iso(atMs)}::timestamptz,
      array_agg(v.average order by v.slot), array_agg(v.maximum order by v.slot)
    from (
      select s.block, r.slot, avg(r.reading)::real as average, max(r.reading) as maximum
      from metric_samples s cross join lateral unnest(s.readings) with ordinality r (reading, slot)
      where s.organization_id = ${organizationId}
        and s.at >= ${iso(atMs)} and s.at < ${iso(atMs + steps.minute.stepMs)}
      group by s.block, r.slot
    ) v
    group by v.block
    on conflict (organization_id, block, at) do update
      set averages = excluded.averages, maxima = excluded.maxima`)
  await db.execute(sql`
    insert into metric_pending (organization_id, step, at)
    values (${organizationId}, 'hour', date_trunc('hour', ${iso(atMs)}::timestamptz, 'UTC'))
    on conflict (organization_id, step, at) do update set at = excluded.at`)
}

async function rollUpHour(db: Db, organizationId: number, atMs: number): Promise<void> {
  await db.execute(sql`
    insert into metric_hours (organization_id, block, at, averages, maxima)
    select ${organizationId}, v.block, ${iso(atMs)}::timestamptz,
      array_agg(v.average order by v.slot), array_agg(v.maximum order by v.slot)
    from (
      select m.block, r.slot, avg(r.average)::real as average, max(r.maximum) as maximum
      from metric_minutes m
      cross join lateral unnest(m.averages, m.maxima) with ordinality r (average, maximum, slot)
      where m.organization_id = ${organizationId}
        and m.at >= ${iso(atMs)} and m.at < ${iso(atMs + steps.hour.stepMs)}
        and m.block in (
          select distinct s.block from metric_series s
          where s.organization_id = ${organizationId} and s.span = 'year')
      group by m.block, r.slot
    ) v
    group by v.block
    on conflict (organization_id, block, at) do update
      set averages = excluded.averages, maxima = excluded.maxima`)
}
