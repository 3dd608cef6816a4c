import type { AuditClass } from '@bey/contract'
import { bigint, foreignKey, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { webhooks } from './webhooks.ts'

/**
 * Webhooks that stream the audit log. One message at a time is on its way: `position` moves on only when it was delivered,
 * so that no crash, pause or failure leaves an entry out.
 */
export const auditStreams = pgTable(
  'audit_streams',
  {
    organizationId: organizationId(),
    webhookId: uuid('webhook_id').notNull(),
    /** Empty: every class. */
    classes: text('classes').array().$type<AuditClass[]>().notNull(),
    /** In the chain: up to here everything was delivered. */
    position: bigint('position', { mode: 'number' }).notNull(),
    /** The message on its way, and the position up to which it goes. */
    deliveryId: uuid('delivery_id'),
    deliveryThrough: bigint('delivery_through', { mode: 'number' }),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.webhookId] }),
    foreignKey({
      name: 'audit_streams_webhook_fk',
      columns: [t.organizationId, t.webhookId],
      foreignColumns: [webhooks.organizationId, webhooks.id],
    }).onDelete('cascade'),
    tenantPolicy(),
    systemPolicy(),
  ],
)
