import type { NotificationEvent, NotificationSeverity } from '@bey/contract/notifications/rules'
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { memberships } from './memberships.ts'
import { notificationChannels } from './notification-channels.ts'
import { notificationRules } from './notification-rules.ts'

/**
 * What is sent outside of the console: to a channel, or to a user by mail. Written with the event itself, or by a step
 * of a run.
 */
export const notificationDeliveries = pgTable(
  'notification_deliveries',
  {
    organizationId: organizationId(),
    id: uuid('id').notNull(),
    /** Null: a step of a run sends it. */
    ruleId: uuid('rule_id'),
    /** One of both. */
    channelId: uuid('channel_id'),
    userId: integer('user_id'),
    event: text('event').$type<NotificationEvent | 'run.message'>().notNull(),
    severity: text('severity').$type<NotificationSeverity>().notNull(),
    title: text('title').notNull(),
    detail: text('detail'),
    href: text('href'),
    /** The same event of the same thing. */
    repeatKey: text('repeat_key').notNull(),
    /** How often it happened until it was sent. */
    count: integer('count').notNull().default(1),
    at: instant('at').notNull(),
    /** When it is sent; while a process sends it, when another one may. */
    dueAt: instant('due_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    sentAt: instant('sent_at'),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.id] }),
    index('notification_deliveries_due_idx')
      .on(t.dueAt)
      .where(sql`sent_at is null`),
    index('notification_deliveries_repeat_idx').on(t.organizationId, t.ruleId, t.repeatKey),
    index('notification_deliveries_channel_idx').on(t.organizationId, t.channelId),
    index('notification_deliveries_user_idx').on(t.organizationId, t.userId),
    foreignKey({
      name: 'notification_deliveries_rule_fk',
      columns: [t.organizationId, t.ruleId],
      foreignColumns: [notificationRules.organizationId, notificationRules.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'notification_deliveries_channel_fk',
      columns: [t.organizationId, t.channelId],
      foreignColumns: [notificationChannels.organizationId, notificationChannels.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'notification_deliveries_membership_fk',
      columns: [t.organizationId, t.userId],
      foreignColumns: [memberships.organizationId, memberships.userId],
    }).onDelete('cascade'),
    tenantPolicy(),
    systemPolicy(),
  ],
)
