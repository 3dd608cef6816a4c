import type { DrillProof, RestoreKind, RestoreStatus, SwapStatus } from '@bey/contract/databases/backup-rules'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { databaseBackups } from './database-backups.ts'
import { databases } from './databases.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

export type StoredCheckResult = {
  name: string
  outcome: 'passed' | 'failed' | 'not_run'
  detail: string | null
  durationMs: number
}

/** A Cluster of CloudNativePG that a drill makes and removes. */
export type DrillCluster = {
  clusterId: number
  namespace: string
  name: string
  /** In whose name it is made and removed. */
  userId: number
  /** The Backup that it is made of; null: of what the store holds. */
  backup: string | null
  /** The newest moment that could be recovered when the drill began, as an instant; null where that is not known. */
  newestAt: string | null
  /** When it was asked for, as an instant; null before. */
  begunAt: string | null
}

/** One table that is restored into the database that runs. */
export type RestoredTable = {
  schema: string
  name: string
  /** The name that was asked for; null: chosen when it is copied. */
  wanted: string | null
  replaces: boolean
  into: string | null
  rows: number | null
  /** The transaction that wrote it there, noted before it committed: whoever goes on asks the server how it ended. */
  xid: string | null
}

const milliseconds = (name: string) => bigint(name, { mode: 'number' })
const ofOrganization = () => organizationId().references(() => organizations.id, { onDelete: 'cascade' })

/** Restores into new databases, and of single tables, and drills, which prove a backup in a throw-away server. */
export const databaseRestores = pgTable(
  'database_restores',
  {
    id: uuid('id').primaryKey(),
    organizationId: ofOrganization(),
    kind: text('kind').$type<RestoreKind>().notNull(),
    /** The database whose backup it is. */
    databaseId: uuid('database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    newDatabaseId: uuid('new_database_id').references(() => databases.id, { onDelete: 'set null' }),
    backupId: uuid('backup_id').references(() => databaseBackups.id, { onDelete: 'set null' }),
    targetTime: instant('target_time'),
    status: text('status').$type<RestoreStatus>().notNull().default('pending'),
    failure: text('failure'),
    reachedAt: instant('reached_at'),
    checks: jsonb('checks')
      .$type<StoredCheckResult[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    restoreMs: milliseconds('restore_ms'),
    replayMs: milliseconds('replay_ms'),
    /** Of a drill: bytes of the segments of WAL that were replayed, and how long fetching and replaying them took. */
    walBytes: bigint('wal_bytes', { mode: 'number' }),
    walMs: milliseconds('wal_ms'),
    validateMs: milliseconds('validate_ms'),
    totalMs: milliseconds('total_ms'),
    /** Of a drill: what it proved. */
    proof: text('proof').$type<DrillProof>(),
    /** Of a drill: how old the newest moment in the store was when it began. */
    lostMs: milliseconds('lost_ms'),
    /** Of a drill: where its server is; null once that is removed. */
    machineId: text('machine_id'),
    dir: text('dir'),
    port: integer('port'),
    /** Of a drill on a cluster: its throw-away Cluster; null once that is removed. */
    cluster: jsonb('cluster').$type<DrillCluster>(),
    /** Of a restore of one table. */
    restoredTable: jsonb('restored_table').$type<RestoredTable>(),
    runId: uuid('run_id'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    index('database_restores_list_idx').on(t.organizationId, t.databaseId, t.id),
    index('database_restores_database_id_idx').on(t.databaseId),
    index('database_restores_new_database_id_idx').on(t.newDatabaseId),
    index('database_restores_backup_id_idx').on(t.backupId),
    index('database_restores_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Restored copies that took the place of the database that they were made from. */
export const databaseSwaps = pgTable(
  'database_swaps',
  {
    id: uuid('id').primaryKey(),
    organizationId: ofOrganization(),
    /** The copy. */
    databaseId: uuid('database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    oldDatabaseId: uuid('old_database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    status: text('status').$type<SwapStatus>().notNull().default('pending'),
    failure: text('failure'),
    /** The name that both have had in turn, and the one of the copy before. */
    name: text('name').notNull(),
    copyName: text('copy_name').notNull(),
    cutAt: instant('cut_at'),
    completedAt: instant('completed_at'),
    undoUntil: instant('undo_until'),
    runId: uuid('run_id'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    index('database_swaps_organization_id_idx').on(t.organizationId, t.id),
    index('database_swaps_database_id_idx').on(t.databaseId),
    index('database_swaps_old_database_id_idx').on(t.oldDatabaseId),
    index('database_swaps_created_by_idx').on(t.createdBy),
    uniqueIndex('database_swaps_under_way_key')
      .on(t.oldDatabaseId)
      .where(sql`status in ('pending', 'running', 'undoing')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
