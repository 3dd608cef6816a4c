import type { DeliveryStatus, ThingNames } from '@bey/contract'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  json,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { webhooks } from './webhooks.ts'

/** Messages for webhooks, enqueued in the transaction of their event, and what became of each. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** By time, and so in the order of the events. */
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    webhookId: uuid('webhook_id').notNull(),
    /** The header `webhook-id`: the same for all webhooks that the event goes to. */
    eventId: uuid('event_id').notNull(),
    type: text('type').notNull(),
    /** The body as it is signed and sent, but for the things that `names` names. */
    payload: text('payload').notNull(),
    /** What the things in the message were called when it was made, by their type; null where it names none. */
    names: json('names').$type<ThingNames>(),
    /** What it is about; messages of the same wait for each other where the webhook asks for it. */
    orderKey: text('order_key').notNull().default(''),
    isTest: boolean('is_test').notNull().default(false),
    status: text('status').$type<DeliveryStatus>().notNull().default('pending'),
    /** Since it was enqueued or replayed last. */
    attempts: integer('attempts').notNull().default(0),
    /** Attempts of all its replays together. */
    attemptNumber: integer('attempt_number').notNull().default(0),
    /** Of the next attempt; while it is being sent, from when on another process may take it over. Infinite: paused. */
    nextAt: instant('next_at').notNull().defaultNow(),
    createdAt: createdAt(),
    finishedAt: instant('finished_at'),
    lastStatusCode: integer('last_status_code'),
    lastError: text('last_error'),
    lastDurationMs: integer('last_duration_ms'),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.webhookId],
      foreignColumns: [webhooks.organizationId, webhooks.id],
    }).onDelete('cascade'),
    unique('webhook_deliveries_organization_id_id_key').on(t.organizationId, t.id),
    index('webhook_deliveries_list_idx').on(t.organizationId, t.webhookId, t.id),
    index('webhook_deliveries_due_idx')
      .on(t.webhookId, t.nextAt, t.id)
      .where(sql`status in ('pending', 'sending', 'retrying')`),
    index('webhook_deliveries_order_idx')
      .on(t.webhookId, t.orderKey, t.id)
      .where(sql`status in ('pending', 'sending', 'retrying')`),
    index('webhook_deliveries_finished_idx').on(t.finishedAt),
    check(
      'webhook_deliveries_status_known',
      sql`${t.status} in ('pending', 'sending', 'retrying', 'delivered', 'exhausted', 'cancelled')`,
    ),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Every attempt of a delivery: the heads of what was sent and answered. Headers keep their order, hence `json`. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    deliveryId: uuid('delivery_id').notNull(),
    number: integer('number').notNull(),
    at: instant('at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    statusCode: integer('status_code'),
    error: text('error'),
    requestHeaders: json('request_headers').$type<Record<string, string>>().notNull(),
    responseHeaders: json('response_headers').$type<Record<string, string>>().notNull(),
    responseHead: text('response_head').notNull().default(''),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.deliveryId],
      foreignColumns: [webhookDeliveries.organizationId, webhookDeliveries.id],
    }).onDelete('cascade'),
    index('webhook_attempts_delivery_idx').on(t.organizationId, t.deliveryId, t.number),
    tenantPolicy(),
    systemPolicy(),
  ],
)
