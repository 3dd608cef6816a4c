import { sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'

/** What the history of an alert adds to its row. */
export type AlertFacts = {
  /** In 30 days. */
  firedCount: number
  actedOnCount: number
  /** Half hours of the last 24 in which it fired, 0 being the oldest. */
  halfHours: readonly number[]
  acknowledged: { at: Date; userId: number | null; name: string | null; email: string | null } | undefined
}

export const noFacts: AlertFacts = { firedCount: 0, actedOnCount: 0, halfHours: [], acknowledged: undefined }

type Row = {
  id: string
  fired: number
  acted: number
  half_hours: number[] | null
  acknowledged_ms: number | null
  user_id: number | null
  name: string | null
  email: string | null
}

/** The history of all alerts of an organization, or of one. */
export async function readFacts(
  db: Db,
  organizationId: number,
  now: Date,
  alertId?: string,
): Promise<Map<string, AlertFacts>> {
  const at = now.toISOString()
  const { rows } = await db.execute<Row>(sql`
    with asked as (
      select id from alerts where organization_id = ${organizationId}
        and (${alertId ?? null}::uuid is null or id = ${alertId ?? null}::uuid)
    ), day as (
      select distinct e.alert_id, h.half_hour from alert_episodes e
      cross join lateral generate_series(
        greatest(0, floor(48 - extract(epoch from ${at}::timestamptz - e.fired_at) / 1800))::int,
        least(47, floor(48 - extract(epoch from ${at}::timestamptz - coalesce(e.resolved_at, ${at}::timestamptz)) / 1800))::int
      ) h (half_hour)
      where e.organization_id = ${organizationId} and e.alert_id in (select id from asked)
        and coalesce(e.resolved_at, ${at}::timestamptz) > ${at}::timestamptz - interval '24 hours'
    )
    select a.id,
      (select count(*)::int from alert_episodes e where e.organization_id = ${organizationId} and e.alert_id = a.id
        and e.fired_at > ${at}::timestamptz - interval '30 days') as fired,
      (select count(*)::int from alert_episodes e where e.organization_id = ${organizationId} and e.alert_id = a.id
        and e.fired_at > ${at}::timestamptz - interval '30 days' and e.acted_on_at is not null) as acted,
      (select json_agg(d.half_hour) from day d where d.alert_id = a.id) as half_hours,
      extract(epoch from k.acknowledged_at)::float8 * 1000 as acknowledged_ms, k.acknowledged_by as user_id,
      u.name, u.email
    from asked a
    left join lateral (
      select e.acknowledged_at, e.acknowledged_by from alert_episodes e
      where e.organization_id = ${organizationId} and e.alert_id = a.id and e.resolved_at is null
        and e.acknowledged_at is not null
      order by e.acknowledged_at desc limit 1
    ) k on true
    left join users u on u.id = k.acknowledged_by`)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        firedCount: row.fired,
        actedOnCount: row.acted,
        halfHours: row.half_hours ?? [],
        acknowledged:
          row.acknowledged_ms === null
            ? undefined
            : { at: new Date(row.acknowledged_ms), userId: row.user_id, name: row.name, email: row.email },
      },
    ]),
  )
}
