import type { HandlerOutput } from '@bey/contract'
import { sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'

type Notified = HandlerOutput<'alerts.history'>['notified']

/** Who was notified of an alert in 7 days, the newest first: in the console, by mail, and in channels. */
export async function readNotified(db: Db, organizationId: number, alertId: string): Promise<Notified> {
  const { rows } = await db.execute<{
    at: number
    event: string
    kind: 'console' | 'mail' | 'channel'
    names: string[] | null
    sent: boolean
  }>(sql`
    with deliveries as (
      select d.at, d.event, d.sent_at is not null as sent,
        case when d.channel_id is null then 'mail' else 'channel' end as kind, coalesce(c.name, u.name) as name
      from notification_deliveries d
      left join notification_channels c on c.organization_id = d.organization_id and c.id = d.channel_id
      left join users u on u.id = d.user_id
      where d.organization_id = ${organizationId}
        and d.repeat_key in (${`alert.firing:alert:${alertId}`}, ${`alert.resolved:alert:${alertId}`})
    ), listed as (
      select n.at, n.title, array_agg(u.name order by u.name) as names
      from alert_notices n cross join lateral unnest(n.user_ids) p (id) join users u on u.id = p.id
      where n.organization_id = ${organizationId} and n.alert_id = ${alertId} and n.at > now() - interval '7 days'
      group by n.id
    )
    select extract(epoch from at)::float8 * 1000 as at, title as event, 'console' as kind, to_json(names) as names,
      true as sent
    from listed
    union all
    select extract(epoch from at)::float8 * 1000, event, kind, json_agg(name order by name) filter (where name is not null),
      sent
    from deliveries group by at, event, kind, sent
    order by 1 desc limit 50`)
  return rows.map(({ at, event, kind, names, sent }) => ({
    at: new Date(at).toISOString(),
    event,
    kind,
    names: names?.slice(0, 200) ?? [],
    isSent: sent,
  }))
}
