import { Buffer } from 'node:buffer'
import type { EventFrame, ExpandedType, LiveEvents, LiveEventType } from '@bey/contract'
import { eventTable } from '@bey/contract'
import { uuidv7 } from '../crypto/uuid.ts'
import type { Db } from '../db/database.ts'
import { statement } from '../db/prepared.ts'
import { columnsOf, enqueueSql, webhookMessagesOf } from '../webhooks/enqueue.ts'

/** Channel of PostgreSQL on which events travel between processes. */
export const eventChannel = 'bey_events'

/** What a notification of PostgreSQL can carry, in bytes. */
const maxNotificationBytes = 7_999

/** An event with its data, as it is delivered. */
export type DeliveredEvent<T extends LiveEventType = LiveEventType> = {
  [K in T]: { organizationId: number; type: K; message?: string; data: LiveEvents[K] }
}[T]

/** An event as a feature publishes it. */
export type PublishedEvent<T extends LiveEventType> = {
  organizationId: number
  type: T
  message?: string
} & (T extends ExpandedType ? { data?: undefined } : { data: LiveEvents[T] })

/**
 * Publishes an event inside the caller's transaction: it is delivered after the commit, or never, and enqueued for the
 * webhooks that want it. Throws, and so fails the transaction, when it is larger than a notification can be; carry ids
 * then and let the reader fetch.
 */
export async function publish<T extends LiveEventType>(db: Db, event: PublishedEvent<T>): Promise<void> {
  // Any event of this type is one of all.
  await publishAll(db, [event as AnyPublishedEvent])
}

/** Any event, for those who publish several. */
export type AnyPublishedEvent = { [T in LiveEventType]: PublishedEvent<T> }[LiveEventType]

/** Publishes several events, in their order, with one statement. */
export async function publishAll(db: Db, events: readonly AnyPublishedEvent[]): Promise<void> {
  if (events.length === 0) return
  const payloads = events.map(payloadOf)
  const messages = events.flatMap(webhookMessagesOf)
  if (messages.length > 0) await notifyAndEnqueue(db, [eventChannel, payloads, ...columnsOf(messages)])
  else await notifyEach(db, [eventChannel, payloads])
}

const notifyEach = statement('notify_each', 'select pg_notify($1, payload) from unnest($2::text[]) payload')

// In one statement: an organization without webhooks costs an empty look into an index, and no round trip.
const notifyAndEnqueue = statement(
  'notify_and_enqueue',
  `with enqueued as (${enqueueSql(3)}) select pg_notify($1, payload) from unnest($2::text[]) payload`,
)

function payloadOf(event: { organizationId: number; type: LiveEventType; message?: string; data?: unknown }) {
  const payload = notificationOf(event)
  const bytes = Buffer.byteLength(payload)
  if (bytes > maxNotificationBytes) {
    throw new Error(
      `The event ${event.type} takes ${bytes} bytes, and a notification at most ${maxNotificationBytes}. Let it carry ids instead of what they name.`,
    )
  }
  return payload
}

/** First the organization, so that a process without a socket of it need not parse the rest. */
function notificationOf(event: {
  organizationId: number
  type: LiveEventType
  message?: string
  data?: unknown
}) {
  // The same text each time, so that PostgreSQL drops repetitions within a transaction.
  if (event.data === undefined) return `${event.organizationId} {"type":"${event.type}"}`
  return `${event.organizationId} ${JSON.stringify(frameOf(event))}`
}

/** The event as it is sent on the socket. */
export function frameOf(event: {
  organizationId: number
  type: LiveEventType
  message?: string
  data?: unknown
}): EventFrame {
  const frame = {
    id: uuidv7(),
    type: event.type,
    target: 'ALL',
    timestamp: new Date().toISOString(),
    component: componentOf(event.type),
    message: event.message ?? '',
    organizationId: event.organizationId,
    data: event.data,
  }
  // Type and data belong together in each of the types that lead here.
  return frame as EventFrame
}

/** The part of the product that an event is about: `clusters`, `workflows`, `kubernetes`, `engine`. */
export function componentOf(type: LiveEventType): string {
  return eventTable[type].permission.split('.', 1)[0] ?? ''
}
