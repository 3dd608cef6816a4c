import { messageStatus, orderKeyOf, thingsIn, webhookEventsOf, type LiveEventType } from '@bey/contract'

import { entityTables, sqlIdType } from '../../tables/entity-tables.ts'
import { entityTypes } from '@bey/contract/base/entity-table'
import { firstUuidv7, uuidv7 } from '../crypto/uuid.ts'
import { statement } from '../db/prepared.ts'
import type { Db } from '../db/transaction.ts'

/** A message for whichever webhooks of an organization want its type. */
export type WebhookMessage = {
  organizationId: number
  eventId: string
  type: string
  /** The body as JSON (Standard Webhooks), but for the names and pages of the things in it. */
  payload: string
  orderKey: string
  /** What filters and names are looked up by. */
  status: string | null
  things: Readonly<Record<string, string | number>>
}

type Published = { organizationId: number; type: LiveEventType; data?: object | undefined }

/** The messages of a live event; none where webhooks do not send it. */
export function webhookMessagesOf({ organizationId, type, data }: Published): WebhookMessage[] {
  if (data === undefined) return []
  return webhookEventsOf(type, data).map((name) => messageOf(organizationId, name, data))
}

export function messageOf(
  organizationId: number,
  type: string,
  data: object,
  { isTest = false }: { isTest?: boolean } = {},
): WebhookMessage {
  const timestamp = new Date().toISOString()
  return {
    organizationId,
    eventId: uuidv7(),
    type,
    payload: JSON.stringify({ type, timestamp, organizationId, ...(isTest && { test: true }), data }),
    orderKey: orderKeyOf(data),
    status: messageStatus(data),
    things: thingsIn(data),
  }
}

/** Enqueues messages for the enabled webhooks that want them, in the caller's transaction. */
export async function enqueue(db: Db, messages: readonly WebhookMessage[]): Promise<void> {
  await enqueueAll(db, columnsOf(messages))
}

/**
 * Enqueues one message for the enabled webhooks that want it, unless a message with the same second half of its
 * id was enqueued after `since`: a repetition after a crash sends nothing twice. Answers for how many webhooks.
 */
export async function enqueueOnce(db: Db, message: WebhookMessage, since: Date): Promise<number> {
  const rows = await enqueueUnlessRepeated(db, [...columnsOf([message]), firstUuidv7(since.getTime())])
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
    messages.map(({ status }) => status),
    messages.map(({ things }) => JSON.stringify(things)),
  ]
}

const names = entityTypes
  .map((type) => {
    const { name, id = 'id', label } = entityTables[type]
    return `'${type}', (select ${label} from ${name} t
      where t.organization_id = m.organization_id and t.${id} = ids."${type}")`
  })
  .join(', ')

// `offset 0` as in `subjectOf`: the casts stay out of the comparison with the tables' ids.
const ids = `(select ${entityTypes
  .map((type) => `(m.things ->> '${type}')::${sqlIdType(type)} as "${type}"`)
  .join(', ')} offset 0)`

/**
 * Enqueues messages for the enabled webhooks that want them; the seven columns are parameters from `$first` on. A
 * delivery has the time of its event in its id (UUIDv7), and its own random part. What the message is about is looked up
 * for webhooks that get it alone: without one, all of it is an empty look into an index.
 */
export function enqueueSql(first: number): string {
  const [organizations, eventIds, types, payloads, orderKeys, statuses, things] = Array.from(
    { length: 7 },
    (_, index) => `$${first + index}`,
  )
  return `insert into webhook_deliveries (id, organization_id, webhook_id, event_id, type, payload, order_key, names)
    select (left(m.event_id::text, 18) || substr(gen_random_uuid()::text, 19))::uuid, m.organization_id, w.id,
      m.event_id, m.type, m.payload, m.order_key,
      (select json_strip_nulls(json_build_object(${names})) from ${ids} ids)
    from unnest(${organizations}::int[], ${eventIds}::uuid[], ${types}::text[], ${payloads}::text[],
        ${orderKeys}::text[], ${statuses}::text[], ${things}::json[])
      as m(organization_id, event_id, type, payload, order_key, status, things)
    join webhooks w on w.organization_id = m.organization_id and w.status = 'enabled' and m.type = any(w.events)
      and (m.status is null or w.statuses = '{}' or m.status = any(w.statuses))
      and (w.workflow_ids = '{}' and w.cluster_ids = '{}'
        or m.things ->> 'workflow' = any(w.workflow_ids::text[])
        or m.things ->> 'cluster' = any(w.cluster_ids::text[]))`
}

const enqueueAll = statement('enqueue', enqueueSql(1))

const enqueueUnlessRepeated = statement<{ id: string }>(
  'enqueue_unless_repeated',
  `${enqueueSql(1)}
    where not exists (
      select from webhook_deliveries d
      where d.organization_id = w.organization_id and d.webhook_id = w.id and d.id >= $8::uuid
        and right(d.event_id::text, 17) = right(m.event_id::text, 17)
    )
    returning id`,
)
