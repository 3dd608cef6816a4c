import { orderKeyOf, webhookEventOf, type LiveEventType } from '@bey/contract'
import { sql } from 'drizzle-orm'

import { firstUuidv7, uuidv7 } from '../crypto/uuid.ts'
import type { Db } from '../db/transaction.ts'

/** A message for whichever webhooks of an organization want its type. */
export type WebhookMessage = {
  organizationId: number
  eventId: string
  type: string
  /** The body as it is signed and sent (Standard Webhooks). */
  payload: string
  orderKey: string
}

type Published = { organizationId: number; type: LiveEventType; data?: object | undefined }

/** The message of a live event; none where webhooks do not send it. */
export function webhookMessageOf({ organizationId, type, data }: Published): WebhookMessage[] {
  const event = webhookEventOf(type)
  if (event === undefined || data === undefined) return []
  return [messageOf(organizationId, event.name, data)]
}

export function messageOf(organizationId: number, type: string, data: object): WebhookMessage {
  const timestamp = new Date().toISOString()
  return {
    organizationId,
    eventId: uuidv7(),
    type,
    payload: JSON.stringify({ type, timestamp, organizationId, data }),
    orderKey: orderKeyOf(data),
  }
}

/**
 * Enqueues one message for the enabled webhooks that want its type, unless a message with the same second half of its
 * id was enqueued after `since`: a repetition after a crash sends nothing twice. Answers for how many webhooks.
 */
export async function enqueueOnce(db: Db, message: WebhookMessage, since: Date): Promise<number> {
  const { rows } = await db.execute(sql`
    insert into webhook_deliveries (id, organization_id, webhook_id, event_id, type, payload, order_key)
    select (left(${message.eventId}, 18) || substr(gen_random_uuid()::text, 19))::uuid, w.organization_id, w.id,
      ${message.eventId}::uuid, ${message.type}, ${message.payload}, ${message.orderKey}
    from webhooks w
    where w.organization_id = ${message.organizationId} and w.status = 'enabled' and ${message.type} = any (w.events)
      and not exists (
        select from webhook_deliveries d
        where d.organization_id = w.organization_id and d.webhook_id = w.id
          and d.id >= ${firstUuidv7(since.getTime())}::uuid
          and right(d.event_id::text, 17) = right(${message.eventId}, 17)
      )
    returning id`)
  return rows.length
}

/** Messages as `enqueueSql` takes them. */
export function columnsOf(messages: readonly WebhookMessage[]): unknown[] {
  return [
    messages.map(({ organizationId }) => organizationId),
    messages.map(({ eventId }) => eventId),
    messages.map(({ type }) => type),
    messages.map(({ payload }) => payload),
    messages.map(({ orderKey }) => orderKey),
  ]
}

/**
 * Enqueues messages for the enabled webhooks that want them; the five columns are parameters from `$first` on. A delivery
 * has the time of its event in its id (UUIDv7), and its own random part.
 */
export function enqueueSql(first: number): string {
  const [organizations, ids, types, payloads, orderKeys] = [0, 1, 2, 3, 4].map((index) => `$${first + index}`)
  return `insert into webhook_deliveries (id, organization_id, webhook_id, event_id, type, payload, order_key)
    select (left(m.event_id::text, 18) || substr(gen_random_uuid()::text, 19))::uuid, m.organization_id, w.id,
      m.event_id, m.type, m.payload, m.order_key
    from unnest(${organizations}::int[], ${ids}::uuid[], ${types}::text[], ${payloads}::text[], ${orderKeys}::text[])
      as m(organization_id, event_id, type, payload, order_key)
    join webhooks w on w.organization_id = m.organization_id and w.status = 'enabled' and m.type = any(w.events)`
}
