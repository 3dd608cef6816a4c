import type { ErrorGroupStatus, ErrorKind } from '@bey/contract/error-log/rules'
import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Errors of consoles, one row for all that is the same. Counts stay true when occurrences are dropped. */
export const errorGroups = pgTable(
  'error_groups',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** SHA-256 of what makes it the same error. */
    fingerprint: bytea('fingerprint').notNull(),
    message: text('message').notNull(),
    culprit: text('culprit').notNull(),
    kind: text('kind').$type<ErrorKind>().notNull(),
    status: text('status').$type<ErrorGroupStatus>().notNull().default('open'),
    occurrenceCount: integer('occurrence_count').notNull().default(0),
    userCount: integer('user_count').notNull().default(0),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    firstRelease: text('first_release').notNull(),
    lastRelease: text('last_release').notNull(),
    regressedAt: instant('regressed_at'),
    statusChangedAt: instant('status_changed_at'),
    statusChangedBy: integer('status_changed_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    unique('error_groups_organization_id_id_key').on(t.organizationId, t.id),
    unique('error_groups_fingerprint_key').on(t.organizationId, t.fingerprint),
    index('error_groups_last_seen_at_idx').on(t.organizationId, t.lastSeenAt, t.id),
    index('error_groups_first_seen_at_idx').on(t.organizationId, t.firstSeenAt, t.id),
    index('error_groups_occurrence_count_idx').on(t.organizationId, t.occurrenceCount, t.id),
    index('error_groups_user_count_idx').on(t.organizationId, t.userCount, t.id),
    index('error_groups_status_changed_by_idx').on(t.statusChangedBy),
    check('error_groups_status_is_known', sql`${t.status} in ('open', 'resolved', 'ignored')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** How often an error happened, by hour. */
export const errorHours = pgTable(
  'error_hours',
  {
    organizationId: organizationId(),
    groupId: uuid('group_id').notNull(),
    hour: instant('hour').notNull(),
    occurrenceCount: integer('occurrence_count').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.hour] }),
    foreignKey({
      columns: [t.organizationId, t.groupId],
      foreignColumns: [errorGroups.organizationId, errorGroups.id],
    }).onDelete('cascade'),
    // What is too old for any chart is deleted by it.
    index('error_hours_hour_idx').on(t.hour),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** How often an error happened, by release. */
export const errorReleases = pgTable(
  'error_releases',
  {
    organizationId: organizationId(),
    groupId: uuid('group_id').notNull(),
    release: text('release').notNull(),
    occurrenceCount: integer('occurrence_count').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.release] }),
    foreignKey({
      columns: [t.organizationId, t.groupId],
      foreignColumns: [errorGroups.organizationId, errorGroups.id],
    }).onDelete('cascade'),
    index('error_releases_release_idx').on(t.organizationId, t.release, t.groupId),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Who met an error. */
export const errorUsers = pgTable(
  'error_users',
  {
    organizationId: organizationId(),
    groupId: uuid('group_id').notNull(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.userId] }),
    foreignKey({
      columns: [t.organizationId, t.groupId],
      foreignColumns: [errorGroups.organizationId, errorGroups.id],
    }).onDelete('cascade'),
    index('error_users_user_id_idx').on(t.userId),
    tenantPolicy(),
    systemPolicy(),
  ],
)
