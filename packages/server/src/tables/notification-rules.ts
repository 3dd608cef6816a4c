import type {
  NotificationDigest,
  NotificationEvent,
  NotificationSeverity,
} from '@bey/contract/notifications/rules'
import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { memberships } from './memberships.ts'

/** Who is notified of what, and where. Rules without a user are the organization's; those of a user go with them. */
export const notificationRules = pgTable(
  'notification_rules',
  {
    organizationId: organizationId(),
    id: uuid('id').notNull(),
    userId: integer('user_id'),
    name: text('name').notNull(),
    events: text('events').array().$type<NotificationEvent[]>().notNull(),
    minSeverity: text('min_severity').$type<NotificationSeverity>().notNull(),
    whose: text('whose').$type<'anyone' | 'mine'>().notNull(),
    clusterIds: integer('cluster_ids')
      .array()
      .notNull()
      .default(sql`'{}'::int[]`),
    workflowIds: uuid('workflow_ids')
      .array()
      .notNull()
      .default(sql`'{}'::uuid[]`),
    inApp: boolean('in_app').notNull(),
    mail: boolean('mail').notNull(),
    channelIds: uuid('channel_ids')
      .array()
      .notNull()
      .default(sql`'{}'::uuid[]`),
    quietFrom: text('quiet_from'),
    quietTo: text('quiet_to'),
    timeZone: text('time_zone').notNull(),
    digest: text('digest').$type<NotificationDigest>().notNull(),
    mutedUntil: instant('muted_until'),
    isEnabled: boolean('is_enabled').notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.id] }),
    index('notification_rules_user_idx').on(t.organizationId, t.userId),
    foreignKey({
      name: 'notification_rules_membership_fk',
      columns: [t.organizationId, t.userId],
      foreignColumns: [memberships.organizationId, memberships.userId],
    }).onDelete('cascade'),
    tenantPolicy(),
    systemPolicy(),
  ],
)
