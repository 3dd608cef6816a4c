import type { BackupKind, BackupStatus, BackupTrigger } from '@bey/contract/databases/backup-rules'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { databases } from './databases.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

const bytes = (name: string) => bigint(name, { mode: 'number' })
const ofOrganization = () => organizationId().references(() => organizations.id, { onDelete: 'cascade' })
const databaseId = () =>
  uuid('database_id')
    .notNull()
    .references(() => databases.id, { onDelete: 'cascade' })

/** Backups of databases. A deleted one stays as a row of that status, without its files. */
export const databaseBackups = pgTable(
  'database_backups',
  {
    id: uuid('id').primaryKey(),
    organizationId: ofOrganization(),
    databaseId: databaseId(),
    kind: text('kind').$type<BackupKind>().notNull(),
    trigger: text('trigger').$type<BackupTrigger>().notNull(),
    status: text('status').$type<BackupStatus>().notNull().default('pending'),
    failure: text('failure'),
    /** The target that keeps it; null: the machine of Bey. */
    targetId: uuid('target_id'),
    /** Where that is, for people. */
    place: text('place'),
    /** The key of its object, from before it is written until the object is removed. */
    storeKey: text('store_key'),
    sizeBytes: bytes('size_bytes'),
    storedBytes: bytes('stored_bytes'),
    sha256: text('sha256'),
    startLsn: text('start_lsn'),
    stopLsn: text('stop_lsn'),
    timeline: integer('timeline'),
    /** Numbers of the WAL segments that hold where it begins and ends. */
    startSegment: bytes('start_segment'),
    stopSegment: bytes('stop_segment'),
    version: text('version'),
    startedAt: instant('started_at'),
    consistentAt: instant('consistent_at'),
    finishedAt: instant('finished_at'),
    expiresAt: instant('expires_at'),
    isLocked: boolean('is_locked').notNull().default(false),
    lastVerifiedAt: instant('last_verified_at'),
    rtoMs: bytes('rto_ms'),
    runId: uuid('run_id'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    index('database_backups_list_idx').on(t.organizationId, t.databaseId, t.id),
    index('database_backups_database_id_idx').on(t.databaseId),
    index('database_backups_created_by_idx').on(t.createdBy),
    // Two copies of the same files at once would only slow each other down.
    uniqueIndex('database_backups_under_way_key')
      .on(t.databaseId)
      .where(sql`status in ('pending', 'running', 'finalizing')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Files of the write-ahead log that are in a store: segments, and histories of timelines. */
export const databaseWalSegments = pgTable(
  'database_wal_segments',
  {
    organizationId: ofOrganization(),
    databaseId: databaseId(),
    /** The name of its file, as PostgreSQL gave it. */
    name: text('name').notNull(),
    /** Timeline and number of a segment; null for other files. */
    timeline: integer('timeline'),
    segment: bytes('segment'),
    targetId: uuid('target_id'),
    storeKey: text('store_key').notNull(),
    sizeBytes: bytes('size_bytes').notNull(),
    storedBytes: bytes('stored_bytes').notNull(),
    /** Of the file as PostgreSQL wrote it. */
    sha256: text('sha256').notNull(),
    /** When the server last wrote to it: what was committed until then is in it or before it. */
    untilAt: instant('until_at').notNull(),
    storedAt: instant('stored_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.databaseId, t.name] }),
    index('database_wal_segments_order_idx').on(t.organizationId, t.databaseId, t.timeline, t.segment),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** How the archive of a database stands, as it was last looked at. */
export const databaseArchives = pgTable(
  'database_archives',
  {
    databaseId: uuid('database_id')
      .primaryKey()
      .references(() => databases.id, { onDelete: 'cascade' }),
    organizationId: ofOrganization(),
    isOn: boolean('is_on').notNull().default(false),
    problem: text('problem'),
    spooledBytes: bytes('spooled_bytes').notNull().default(0),
    /**
     * The next transaction id when nothing was under way, and the segment that the server wrote to: while the id stays, nothing
     * was committed, and nothing of the archive is missing though it does not grow.
     */
    quietXid: text('quiet_xid'),
    quietTimeline: integer('quiet_timeline'),
    quietSegment: bytes('quiet_segment'),
    quietAt: instant('quiet_at'),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('database_archives_organization_id_idx').on(t.organizationId),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** When a database is backed up. One that nobody changed has no row. */
export const databaseBackupPolicies = pgTable(
  'database_backup_policies',
  {
    databaseId: uuid('database_id')
      .primaryKey()
      .references(() => databases.id, { onDelete: 'cascade' }),
    organizationId: ofOrganization(),
    schedule: text('schedule'),
    retentionDays: integer('retention_days').notNull(),
    targetId: uuid('target_id'),
    pitr: boolean('pitr').notNull(),
    /** Within how many minutes it is promised to be back; null: nothing is promised. */
    recoveryTimeMinutes: integer('recovery_time_minutes'),
    drillSchedule: text('drill_schedule'),
    /** Who set the schedule of drills: on clusters they run in that person's name. */
    drillBy: integer('drill_by').references(() => users.id, { onDelete: 'set null' }),
    checks: jsonb('checks')
      .$type<{ name: string; sql: string }[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    version: integer('version').notNull(),
    /** When a schedule comes next, and why what it last began was late or not made. */
    nextBackupAt: instant('next_backup_at'),
    nextDrillAt: instant('next_drill_at'),
    backupNote: text('backup_note'),
    drillNote: text('drill_note'),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('database_backup_policies_organization_id_idx').on(t.organizationId),
    index('database_backup_policies_drill_by_idx').on(t.drillBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
