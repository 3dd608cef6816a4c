import { bigint, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { instant, systemPolicy } from './columns.ts'

/** Backups of Bey itself that were begun, with what came of them and of their last drill. System only. */
export const instanceBackups = pgTable(
  'instance_backups',
  {
    id: uuid('id').primaryKey(),
    /** Its name in the place; null until it is complete. */
    backupId: text('backup_id').unique(),
    trigger: text('trigger', { enum: ['schedule', 'command'] }).notNull(),
    status: text('status', { enum: ['running', 'completed', 'failed'] }).notNull(),
    /** A directory or bucket, without credentials. */
    place: text('place').notNull(),
    startedAt: instant('started_at').notNull(),
    /** Null while it runs. */
    finishedAt: instant('finished_at'),
    copiedBytes: bigint('copied_bytes', { mode: 'number' }),
    storedBytes: bigint('stored_bytes', { mode: 'number' }),
    rowCount: bigint('row_count', { mode: 'number' }),
    rootKeyFingerprint: text('root_key_fingerprint'),
    /** Why it failed, as a sentence. */
    error: text('error'),
    /** When retention removed it from its place. */
    removedAt: instant('removed_at'),
    /** `unchecked`: the drill could not be carried out, which says nothing about the backup. */
    drillOutcome: text('drill_outcome', { enum: ['proved', 'failed', 'unchecked'] }),
    drilledAt: instant('drilled_at'),
    drillMs: integer('drill_ms'),
    /** Rows that were compared, and values of secrets that were opened. */
    drillRows: bigint('drill_rows', { mode: 'number' }),
    drillSecrets: integer('drill_secrets'),
    /** Sentences; of a drill that was not carried out, why. */
    drillProblems: jsonb('drill_problems').$type<string[]>(),
  },
  (t) => [index('instance_backups_started_at_idx').on(t.startedAt), systemPolicy()],
)
