import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import {
  bytea,
  createdAt,
  instant,
  organizationId,
  systemPolicy,
  tenantPolicy,
  updatedAt,
} from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Buckets in which an organization keeps backups of its databases. The machine of Bey needs no row. */
export const backupTargets = pgTable(
  'backup_targets',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Null: Amazon S3. */
    endpoint: text('endpoint'),
    region: text('region').notNull(),
    bucket: text('bucket').notNull(),
    prefix: text('prefix').notNull(),
    accessKeyId: text('access_key_id').notNull(),
    /** The secret access key, sealed with the organization's key. */
    secretSealed: bytea('secret_sealed').notNull(),
    /** Of the last check since it was changed, with what was wrong. */
    checkedAt: instant('checked_at'),
    checkProblem: text('check_problem'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Grows when it is reached in another way. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('backup_targets_name_key').on(t.organizationId, sql`lower(name)`),
    index('backup_targets_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
