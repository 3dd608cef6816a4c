import type { SecretFacts, SecretRotation, SecretStatus, SecretType } from '@bey/contract'
import { secretStatuses, secretTypes } from '@bey/contract'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

const oneOf = (values: readonly string[]) => sql.raw(`(${values.map((value) => `'${value}'`).join(', ')})`)

/**
 * Schedules of before there was an overlap have none. `keyId`: the API key that chose the workflow, whose runs do no more
 * than the key may.
 */
export type StoredRotation = Omit<SecretRotation, 'overlapHours'> &
  Partial<SecretRotation> & { keyId?: string }

/** What is known of a secret without its value. Values are in `secret_versions`. */
export const secrets = pgTable(
  'secrets',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    type: text('type').$type<SecretType>().notNull(),
    labels: jsonb('labels').$type<Record<string, string>>().notNull().default({}),
    facts: jsonb('facts').$type<SecretFacts>().notNull(),
    status: text('status').$type<SecretStatus>().notNull().default('active'),
    /** What a cancelled deletion goes back to. */
    statusBefore: text('status_before').$type<SecretStatus>(),
    currentVersion: integer('current_version').notNull(),
    /** Number of the newest version that was ever stored: numbers are not used twice. */
    lastVersion: integer('last_version').notNull(),
    /** Keyed hash of the current value, by which duplicates are found. */
    valueHash: text('value_hash').notNull(),
    maxVersions: integer('max_versions').notNull(),
    requireCas: boolean('require_cas').notNull().default(false),
    expiresAt: instant('expires_at'),
    purgeAt: instant('purge_at'),
    valueChangedAt: instant('value_changed_at').notNull().defaultNow(),
    lastReadAt: instant('last_read_at'),
    lastReadBy: text('last_read_by'),
    lastUsedAt: instant('last_used_at'),
    /** How the server makes a new value by itself, and when it does so next; both null or neither. */
    rotation: jsonb('rotation').$type<StoredRotation>(),
    nextRotationAt: instant('next_rotation_at'),
    rotatedAt: instant('rotated_at'),
    /** Why the scheduled rotation that is due failed, how often, and when it is tried again; cleared by the next that succeeds. */
    rotationFailure: text('rotation_failure'),
    rotationFailedAt: instant('rotation_failed_at'),
    rotationAttempts: integer('rotation_attempts').notNull().default(0),
    rotationRetryAt: instant('rotation_retry_at'),
    /** The expiry that its managers were last notified of, and how many days before it. */
    expiryNoticeFor: instant('expiry_notice_for'),
    expiryNoticeDays: integer('expiry_notice_days'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    rowVersion: integer('row_version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('secrets_organization_id_id_key').on(t.organizationId, t.id),
    uniqueIndex('secrets_name_key')
      .on(t.organizationId, t.name)
      .where(sql`${t.status} <> 'deleted'`),
    // With the status, so that the list of those in use is found in the index alone; without it they are counted.
    index('secrets_by_name_idx').on(t.organizationId, t.name, t.id, t.status),
    index('secrets_status_idx').on(t.organizationId, t.status),
    index('secrets_type_idx').on(t.organizationId, t.type, t.id),
    index('secrets_value_changed_at_idx').on(t.organizationId, t.valueChangedAt, t.id),
    index('secrets_expires_at_idx').on(t.organizationId, t.expiresAt, t.id),
    index('secrets_last_read_at_idx').on(t.organizationId, t.lastReadAt, t.id),
    index('secrets_created_at_idx').on(t.organizationId, t.createdAt, t.id),
    index('secrets_value_hash_idx').on(t.organizationId, t.valueHash),
    index('secrets_purge_at_idx')
      .on(t.purgeAt)
      .where(sql`${t.purgeAt} is not null`),
    index('secrets_rotation_due_idx')
      .on(sql`coalesce(${t.rotationRetryAt}, ${t.nextRotationAt})`)
      .where(sql`${t.nextRotationAt} is not null`),
    index('secrets_expiry_idx')
      .on(t.expiresAt)
      .where(sql`${t.expiresAt} is not null`),
    index('secrets_created_by_idx').on(t.createdBy),
    check('secrets_status_is_known', sql`${t.status} in ${oneOf(secretStatuses)}`),
    check('secrets_rotation_has_its_time', sql`(${t.rotation} is null) = (${t.nextRotationAt} is null)`),
    check(
      'secrets_failed_rotation_is_tried_again',
      sql`(${t.rotationFailure} is null) = (${t.rotationRetryAt} is null)
        and (${t.rotationFailure} is null) = (${t.rotationFailedAt} is null)`,
    ),
    check('secrets_type_is_known', sql`${t.type} in ${oneOf(secretTypes)}`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
