import type { ThingNames } from '@bey/contract'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'

/** A delivery that this process sends now. */
export type Claimed = {
  id: string
  organizationId: number
  webhookId: string
  eventId: string
  type: string
  payload: string
  names: ThingNames | null
  /** Sent once, whatever becomes of it, and without consequences for its webhook. */
  isTest: boolean
  /** Of this round, and of all its replays together; the latter says whether the claim still holds. */
  attempts: number
  attemptNumber: number
}

/** Longer than an attempt takes: after it a claim of a process that died is free. */
const leaseSeconds = 60
/** A receiver that does not answer must not take the place of others. */
const perWebhook = 16

/** Whether a delivery may be due: what `claimDue` takes is among these. */
export const isDue = `exists (
  select 1 from webhooks w cross join lateral (
    select 1 from webhook_deliveries d
    where d.webhook_id = w.id and d.status in ('pending', 'sending', 'retrying') and d.next_at <= now() limit 1
  ) d where w.status = 'enabled')`

/**
 * Takes up to `limit` deliveries that are due, for this process alone. Of a webhook that keeps its messages in order, the
 * oldest of each thing only. Several processes share the work.
 */
export async function claimDue(db: Db, limit: number): Promise<Claimed[]> {
  const { rows } = await db.execute<Claimed>(sql`
    with due as (
      select d.id, d.next_at
      from webhooks w
      cross join lateral (
        select d.id, d.next_at
        from webhook_deliveries d
        where d.webhook_id = w.id and d.status in ('pending', 'sending', 'retrying') and d.next_at <= now()
          and (not w.is_ordered or d.order_key = '' or not exists (
            select 1 from webhook_deliveries e
            where e.webhook_id = w.id and e.order_key = d.order_key and e.id < d.id
              and e.status in ('pending', 'sending', 'retrying')))
        order by d.next_at, d.id
        limit greatest(0, ${perWebhook} - (
          select count(*) from webhook_deliveries b
          where b.webhook_id = w.id and b.status = 'sending' and b.next_at > now()))
      ) d
      where w.status = 'enabled'
      order by d.next_at, d.id
      limit ${limit}
    ), taken as (
      select d.id from webhook_deliveries d where d.id in (select id from due)
      order by d.id for update skip locked
    )
    update webhook_deliveries d
    set status = 'sending', next_at = now() + make_interval(secs => ${leaseSeconds}),
      attempts = d.attempts + 1, attempt_number = d.attempt_number + 1
    from taken
    where d.id = taken.id and d.status in ('pending', 'sending', 'retrying') and d.next_at <= now()
    returning d.id, d.organization_id as "organizationId", d.webhook_id as "webhookId", d.event_id as "eventId",
      d.type, d.payload, d.names, d.is_test as "isTest", d.attempts, d.attempt_number as "attemptNumber"`)
  return rows
}

/** Gives a delivery back whose attempt was broken off: it counts for nothing, and another process may begin at once. */
export async function releaseClaim(db: Db, { id, organizationId, attemptNumber }: Claimed): Promise<void> {
  await db.execute(sql`
    update webhook_deliveries set next_at = now(), attempts = greatest(0, attempts - 1)
    where organization_id = ${organizationId} and id = ${id} and status = 'sending'
      and attempt_number = ${attemptNumber}`)
}
