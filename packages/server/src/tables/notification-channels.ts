import { foreignKey, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { memberships } from './memberships.ts'

/**
 * Addresses that rules send to: those of the organization to its channels, those of a person to their own. The address is
 * sealed: anyone who knows it can write there.
 */
export const notificationChannels = pgTable(
  'notification_channels',
  {
    organizationId: organizationId(),
    id: uuid('id').notNull(),
    /** Null: the organization's. */
    userId: integer('user_id'),
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
    unique('notification_channels_name_key').on(t.organizationId, t.userId, t.name).nullsNotDistinct(),
    index('notification_channels_user_idx').on(t.organizationId, t.userId),
    foreignKey({
      name: 'notification_channels_membership_fk',
      columns: [t.organizationId, t.userId],
      foreignColumns: [memberships.organizationId, memberships.userId],
    }).onDelete('cascade'),
    tenantPolicy(),
    systemPolicy(),
  ],
)
