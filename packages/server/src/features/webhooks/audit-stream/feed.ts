import type { AuditClass, DeliveryStatus } from '@bey/contract'
import { auditEntriesEvent } from '@bey/contract'
import { and, eq, sql } from 'drizzle-orm'

import { type AuditRecord, listRecords } from '../../../platform/audit/record.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { messageOf } from '../../../platform/webhooks/enqueue.ts'
import { auditStreams } from '../../../tables/audit-streams.ts'
import { webhookDeliveries } from '../../../tables/webhook-deliveries.ts'
import { insertDelivery } from '../store.ts'

/** Bounds of one message, of what is read to fill it, and of one turn. */
const entriesAtOnce = 200
const maxTextLength = 256 * 1024
const positionsAtOnce = 2_000
const readsAtOnce = 50
const streamsAtOnce = 20

type Stream = {
  organizationId: number
  webhookId: string
  classes: AuditClass[]
  position: string
  deliveryId: string | null
  deliveryThrough: string | null
  /** Of the message that was on its way; null when it is gone. */
  status: DeliveryStatus | null
  /** Of the chain. */
  end: string
}

/** Streams whose last message is not on its way any more, and that have another one to send or something to settle. */
export const waitingStreams = `
    from audit_streams s
    join webhooks w on w.organization_id = s.organization_id and w.id = s.webhook_id and w.status = 'enabled'
    join audit_heads h on h.organization_id = s.organization_id
    left join webhook_deliveries d on d.organization_id = s.organization_id and d.id = s.delivery_id
    where (d.id is null or d.status in ('delivered', 'exhausted', 'cancelled'))
      and (s.delivery_id is not null or h.seq > s.position)`

/**
 * Enqueues the next message of every stream of the audit log whose last one is not on its way any more, in the caller's
 * transaction as the system. What was given up is sent again: a stream waits and leaves nothing out. Answers how many
 * messages it enqueued.
 */
export async function feedStreams(db: Db): Promise<number> {
  const { rows } = await db.execute<Stream>(sql`
    select s.organization_id as "organizationId", s.webhook_id as "webhookId", s.classes, s.position,
      s.delivery_id as "deliveryId", s.delivery_through as "deliveryThrough", d.status, h.seq as "end"
    ${sql.raw(waitingStreams)}
    order by s.organization_id, s.webhook_id limit ${streamsAtOnce}
    for update of s skip locked`)
  let enqueued = 0
  for (const stream of rows) enqueued += await feed(db, stream)
  return enqueued
}

async function feed(db: Db, stream: Stream): Promise<number> {
  const { organizationId, webhookId, deliveryId, deliveryThrough, status } = stream
  if (deliveryId !== null && (status === 'exhausted' || status === 'cancelled')) {
    await db
      .update(webhookDeliveries)
      .set({ status: 'pending', attempts: 0, nextAt: sql`now()`, finishedAt: null })
      .where(and(eq(webhookDeliveries.organizationId, organizationId), eq(webhookDeliveries.id, deliveryId)))
    return 1
  }
  const after = Number(status === 'delivered' ? deliveryThrough : stream.position)
  let { entries, through } = await nextEntries(db, stream, after)
  for (let read = 1; entries.length === 0 && through < Number(stream.end) && read < readsAtOnce; read += 1) {
    ;({ entries, through } = await nextEntries(db, stream, through))
  }
  const next = entries.length === 0 ? undefined : uuidv7()
  if (next !== undefined) {
    const { eventId, payload } = messageOf(organizationId, auditEntriesEvent, { after, through, entries })
    const type = auditEntriesEvent
    await insertDelivery(db, { id: next, organizationId, webhookId, eventId, type, payload })
  }
  await db
    .update(auditStreams)
    .set({
      // Entries of classes that the receiver does not want need no message.
      position: next === undefined ? through : after,
      deliveryId: next ?? null,
      deliveryThrough: next === undefined ? null : through,
    })
    .where(and(eq(auditStreams.organizationId, organizationId), eq(auditStreams.webhookId, webhookId)))
  return next === undefined ? 0 : 1
}

/** The entries of one message, and the position up to which nothing that is wanted is left out. */
async function nextEntries(
  db: Db,
  { organizationId, classes, end }: Stream,
  after: number,
): Promise<{ entries: AuditRecord[]; through: number }> {
  const through = Math.min(Number(end), after + positionsAtOnce)
  const limit = entriesAtOnce + 1
  const found = await listRecords(db, organizationId, { after, through, classes, limit })
  const entries: AuditRecord[] = []
  let length = 0
  for (const entry of found) {
    length += JSON.stringify(entry).length
    // One that is longer by itself is sent alone.
    if (entries.length === entriesAtOnce || (length > maxTextLength && entries.length > 0)) {
      return { entries, through: entries.at(-1)?.number ?? after }
    }
    entries.push(entry)
  }
  return { entries, through }
}
