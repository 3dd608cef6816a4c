import { pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'

/** Addresses that rules of an organization send to. The address is sealed: whoever knows it can write there. */
export const notificationChannels = pgTable(
  'notification_channels',
  {
    organizationId: organizationId(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    kind: text('kind').$type<'slack' | 'webhook'>().notNull(),
    sealedUrl: bytea('sealed_url').notNull(),
    host: text('host').notNull(),
    lastSentAt: instant('last_sent_at'),
    lastError: text('last_error'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.id] }),
    unique('notification_channels_name_key').on(t.organizationId, t.name),
    tenantPolicy(),
    systemPolicy(),
  ],
)
