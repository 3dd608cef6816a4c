import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import {
  bytea,
  createdAt,
  instant,
  organizationId,
  systemPolicy,
  tenantPolicy,
  updatedAt,
} from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Addresses to which events of an organization are sent. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** Names of the events that it wants. */
    events: text('events').array().notNull(),
    /** Messages that carry a status are sent with one of these only; empty: with any. */
    statuses: text('statuses').array().notNull().default([]),
    /** Only messages about one of these workflows or clusters are sent; both empty: about anything. */
    workflowIds: uuid('workflow_ids').array().notNull().default([]),
    clusterIds: integer('cluster_ids').array().notNull().default([]),
    headerNames: text('header_names').array().notNull().default([]),
    /** A JSON object of headers, sealed with the organization's key. */
    headersSealed: bytea('headers_sealed'),
    isOrdered: boolean('is_ordered').notNull().default(false),
    status: text('status').$type<'enabled' | 'paused' | 'auto_disabled'>().notNull().default('enabled'),
    /** Of the first attempt since which none succeeded. */
    failingSince: instant('failing_since'),
    disabledReason: text('disabled_reason'),
    lastAttemptAt: instant('last_attempt_at'),
    lastStatusCode: integer('last_status_code'),
    lastSucceeded: boolean('last_succeeded'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('webhooks_organization_id_id_key').on(t.organizationId, t.id),
    uniqueIndex('webhooks_name_key').on(t.organizationId, sql`lower(name)`),
    index('webhooks_created_by_idx').on(t.createdBy),
    check('webhooks_status_known', sql`${t.status} in ('enabled', 'paused', 'auto_disabled')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** With what a webhook signs: the present secret and, while it is rotated, the one before. Sealed. */
export const webhookSecrets = pgTable(
  'webhook_secrets',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    webhookId: uuid('webhook_id').notNull(),
    sealed: bytea('sealed').notNull(),
    createdAt: createdAt(),
    /** Of a secret that was replaced; null of the present one. */
    validUntil: instant('valid_until'),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.webhookId],
      foreignColumns: [webhooks.organizationId, webhooks.id],
    }).onDelete('cascade'),
    index('webhook_secrets_webhook_idx').on(t.organizationId, t.webhookId),
    uniqueIndex('webhook_secrets_present_key')
      .on(t.webhookId)
      .where(sql`valid_until is null`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
