import type { SecretVersionStatus } from '@bey/contract'
import { secretVersionStatuses } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { secrets } from './secrets.ts'
import { users } from './users.ts'

/**
 * Values of secrets, each sealed with the organization's data key and bound to organization, secret and version.
 * `sealed` is null once a version is destroyed.
 */
export const secretVersions = pgTable(
  'secret_versions',
  {
    organizationId: organizationId(),
    secretId: uuid('secret_id').notNull(),
    version: integer('version').notNull(),
    status: text('status').$type<SecretVersionStatus>().notNull(),
    sealed: bytea('sealed'),
    valueHash: text('value_hash'),
    reason: text('reason').notNull().default(''),
    restoredFrom: integer('restored_from'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    /** Until when it may be used beside the current one. */
    liveUntil: instant('live_until'),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.secretId, t.version] }),
    foreignKey({
      columns: [t.organizationId, t.secretId],
      foreignColumns: [secrets.organizationId, secrets.id],
    }).onDelete('cascade'),
    index('secret_versions_live_until_idx')
      .on(t.liveUntil)
      .where(sql`${t.liveUntil} is not null`),
    index('secret_versions_created_by_idx').on(t.createdBy),
    check(
      'secret_versions_status_is_known',
      sql`${t.status} in ${sql.raw(`(${secretVersionStatuses.map((value) => `'${value}'`).join(', ')})`)}`,
    ),
    check('secret_versions_destroyed_has_no_value', sql`(${t.status} = 'destroyed') = (${t.sealed} is null)`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
