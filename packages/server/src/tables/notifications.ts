import type { EntityType } from '@bey/contract/base/entity-table'
import type { NotificationKind, NotificationLevel } from '@bey/contract/notifications/rules'
import { notificationBounds } from '@bey/contract/notifications/rules'
import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  pgPolicy,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'

import {
  appRole,
  currentOrganization,
  currentUserId,
  instant,
  organizationId,
  systemPolicy,
} from './columns.ts'
import { memberships } from './memberships.ts'

const { maxTitle, maxDetail, maxHref, maxRequestId } = notificationBounds
const longest = (column: string, max: number) => sql.raw(`coalesce(char_length(${column}), 0) <= ${max}`)

const isOwn = sql`organization_id = ${currentOrganization} and user_id = ${currentUserId}`

/**
 * The notifications of a user in an organization; deleted with the membership. Read, changed and deleted by that user
 * only. Written by them, or by a transaction of the organization that acts for no user: the end of a run.
 */
export const notifications = pgTable(
  'notifications',
  {
    organizationId: organizationId(),
    userId: integer('user_id').notNull(),
    /** Made by the browser for what it records, hence unique for its user alone. */
    id: uuid('id').notNull(),
    kind: text('kind').$type<NotificationKind>().notNull(),
    level: text('level').$type<NotificationLevel>().notNull(),
    title: text('title').notNull(),
    detail: text('detail'),
    requestId: text('request_id'),
    href: text('href'),
    subjectType: text('subject_type').$type<EntityType>(),
    subjectId: text('subject_id'),
    subjectName: text('subject_name'),
    at: instant('at').notNull(),
    readAt: instant('read_at'),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.userId, t.id] }),
    foreignKey({
      name: 'notifications_membership_fk',
      columns: [t.organizationId, t.userId],
      foreignColumns: [memberships.organizationId, memberships.userId],
    }).onDelete('cascade'),
    index('notifications_at_idx').on(t.organizationId, t.userId, t.at, t.id),
    index('notifications_unread_idx')
      .on(t.organizationId, t.userId)
      .where(sql`${t.readAt} is null`),
    index('notifications_age_idx').on(t.at),
    check('notifications_title_fits', longest('title', maxTitle)),
    check('notifications_detail_fits', longest('detail', maxDetail)),
    check('notifications_request_id_fits', longest('request_id', maxRequestId)),
    check('notifications_href_fits', longest('href', maxHref)),
    pgPolicy('own_read', { for: 'select', to: appRole, using: isOwn }),
    pgPolicy('own_update', { for: 'update', to: appRole, using: isOwn, withCheck: isOwn }),
    pgPolicy('own_delete', { for: 'delete', to: appRole, using: isOwn }),
    pgPolicy('told', {
      for: 'insert',
      to: appRole,
      withCheck: sql`organization_id = ${currentOrganization} and (${currentUserId} is null or user_id = ${currentUserId})`,
    }),
    systemPolicy(),
  ],
)
