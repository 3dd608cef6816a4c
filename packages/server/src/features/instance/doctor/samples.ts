import type { InstanceLimit } from '@bey/contract'

import type { Query } from './facts.ts'
import type { DailyValue } from './growth.ts'

const keptDays = 400

/** What limits stand at now. */
export type LimitValues = Record<InstanceLimit['id'], number>

/** Keeps the values of this hour, once for all processes, and forgets what is older than 400 days. */
export async function recordLimits(query: Query, values: LimitValues, now: Date): Promise<void> {
  await query(
    `insert into instance_samples (name, at, value)
     select name, date_trunc('hour', $1::timestamptz), value from unnest($2::text[], $3::float8[]) n(name, value)
     on conflict do nothing`,
    [now, Object.keys(values), Object.values(values)],
  )
  await query(`delete from instance_samples where at < $1::timestamptz - make_interval(days => $2::int)`, [
    now,
    keptDays,
  ])
}

/** The highest value of each day of the last 90, the oldest first. */
export async function readDays(query: Query, now: Date): Promise<Record<InstanceLimit['id'], DailyValue[]>> {
  const rows = await query<{ name: InstanceLimit['id']; day: Date; value: number }>(
    `select name, date_trunc('day', at, 'UTC') as day, max(value) as value from instance_samples
     where at > $1::timestamptz - interval '90 days' group by 1, 2 order by 2`,
    [now],
  )
  const of = (name: InstanceLimit['id']) => rows.filter((row) => row.name === name)
  return { connections: of('connections'), disk: of('disk'), runs: of('runs') }
}
