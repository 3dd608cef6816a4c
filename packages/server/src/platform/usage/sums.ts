import { sql } from 'drizzle-orm'

import type { Database, Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/locks.ts'

/** Events that one transaction adds to the sums. */
const batch = 50_000

/**
 * Adds to the sums of all organizations what waits in `usage_pending`, and makes the days anew of an organization that
 * has changed its time zone. One process at a time does it. Answers how many events were added.
 */
export async function addUpUsage(database: Pick<Database, 'asSystem'>): Promise<number> {
  let total = 0
  for (;;) {
    const added = await database.asSystem('add up the usage ledger', async (db) => {
      await lockUntilCommit(db, 'usageSums')
      if (total === 0) await followTimeZones(db)
      return addBatch(db)
    })
    total += added
    if (added < batch) return total
  }
}

async function addBatch(db: Db): Promise<number> {
  // Before the sums: they are made in the time zone of the books.
  await db.execute(sql`
    insert into usage_settings (organization_id, time_zone)
    select o.id, o.time_zone from organizations o
    where exists (select from usage_pending p where p.organization_id = o.id)
      and not exists (select from usage_settings s where s.organization_id = o.id)
    on conflict do nothing`)
  const { rows } = await db.execute<{ count: number }>(sql`
    with taken as (
      delete from usage_pending p
      using (select organization_id, seq from usage_pending order by organization_id, seq limit ${batch}) t
      where p.organization_id = t.organization_id and p.seq = t.seq
      returning p.organization_id, p.meter, p.subject_id, p.value, date_trunc('hour', p.at, 'UTC') as hour
    ), by_hour as (
      select organization_id, hour, meter, subject_id, sum(value) as value, count(*) as events
      from taken join usage_settings using (organization_id) group by 1, 2, 3, 4
    ), hours as (
      insert into usage_hours as h (organization_id, hour, meter, subject_id, value, event_count)
      select * from by_hour
      on conflict (organization_id, hour, meter, subject_id)
      do update set value = h.value + excluded.value, event_count = h.event_count + excluded.event_count
    ), days as (
      insert into usage_days as d (organization_id, day, meter, subject_id, value, event_count)
      select b.organization_id, (b.hour at time zone s.time_zone)::date, b.meter, b.subject_id, sum(b.value), sum(b.events)
      from by_hour b join usage_settings s using (organization_id) group by 1, 2, 3, 4
      on conflict (organization_id, day, meter, subject_id)
      do update set value = d.value + excluded.value, event_count = d.event_count + excluded.event_count
    ), outdated as (
      insert into usage_cost_days as c (organization_id, day, event_count)
      select b.organization_id, (b.hour at time zone s.time_zone)::date, sum(b.events)
      from by_hour b join usage_settings s using (organization_id) group by 1, 2
      on conflict (organization_id, day)
      do update set event_count = c.event_count + excluded.event_count, rules = null
    )
    select count(*)::int as count from taken`)
  return rows[0]?.count ?? 0
}

async function followTimeZones(db: Db): Promise<void> {
  const { rows } = await db.execute<{ id: number; timeZone: string }>(sql`
    update usage_settings s set time_zone = o.time_zone from organizations o
    where o.id = s.organization_id and o.time_zone <> s.time_zone
    returning s.organization_id as id, s.time_zone as "timeZone"`)
  for (const { id, timeZone } of rows) {
    await db.execute(sql`delete from usage_days where organization_id = ${id}`)
    await db.execute(sql`
      insert into usage_days (organization_id, day, meter, subject_id, value, event_count)
      select organization_id, (hour at time zone ${timeZone}::text)::date, meter, subject_id, sum(value), sum(event_count)
      from usage_hours where organization_id = ${id} group by 1, 2, 3, 4`)
    await db.execute(sql`delete from usage_costs where organization_id = ${id}`)
    await db.execute(sql`delete from usage_cost_days where organization_id = ${id}`)
    await db.execute(sql`
      insert into usage_cost_days (organization_id, day, event_count)
      select organization_id, day, sum(event_count) from usage_days where organization_id = ${id} group by 1, 2`)
  }
}
