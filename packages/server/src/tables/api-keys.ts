import type { KeyResource, Permission, Role } from '@bey/contract'
import { sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import {
  bytea,
  createdAt,
  instant,
  organizationId,
  systemPolicy,
  tenantPolicy,
  updatedAt,
} from './columns.ts'
import { memberships } from './memberships.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Keys with which programs call the API. Their secrets are in `api_key_secrets`. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Whose personal key it is, which goes with their membership; null of a key of the organization. */
    ownerId: integer('owner_id'),
    /** In whose name a key of the organization writes. Such an account is not deleted while its keys are needed. */
    madeBy: integer('made_by')
      .notNull()
      .references(() => users.id),
    /** The role that its maker had. It bounds a key of the organization; a personal one has its owner's of today. */
    role: text('role').$type<Role>().notNull(),
    permissions: text('permissions').array().$type<Permission[]>().notNull(),
    resources: jsonb('resources').$type<KeyResource[]>().notNull().default([]),
    /** Networks in CIDR notation; empty: from everywhere. */
    allowedAddresses: text('allowed_addresses').array().notNull().default([]),
    requestsPerMinute: integer('requests_per_minute'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
    lastUsedIp: text('last_used_ip'),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.ownerId],
      foreignColumns: [memberships.organizationId, memberships.userId],
    }).onDelete('cascade'),
    unique('api_keys_organization_id_id_key').on(t.organizationId, t.id),
    // Of the keys that were not revoked; two people may choose the same name for keys of their own.
    uniqueIndex('api_keys_name_key')
      .on(t.organizationId, sql`coalesce(owner_id, 0)`, sql`lower(name)`)
      .where(sql`revoked_at is null`),
    index('api_keys_list_idx').on(t.organizationId, t.createdAt, t.id),
    index('api_keys_owner_idx').on(t.organizationId, t.ownerId),
    index('api_keys_made_by_idx').on(t.madeBy),
    index('api_keys_expires_at_idx').on(t.expiresAt),
    check('api_keys_role_is_known', sql`${t.role} in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** The secrets of API keys: the present one and, while a key is rotated, the one before. Kept as SHA-256. */
export const apiKeySecrets = pgTable(
  'api_key_secrets',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    keyId: uuid('key_id').notNull(),
    tokenHash: bytea('token_hash').notNull(),
    /** Its first characters, by which people recognize it. */
    start: text('start').notNull(),
    createdAt: createdAt(),
    /** Of a secret that was replaced; null of the present one. */
    validUntil: instant('valid_until'),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.keyId],
      foreignColumns: [apiKeys.organizationId, apiKeys.id],
    }).onDelete('cascade'),
    unique('api_key_secrets_token_hash_key').on(t.tokenHash),
    index('api_key_secrets_key_idx').on(t.organizationId, t.keyId),
    index('api_key_secrets_valid_until_idx').on(t.validUntil),
    uniqueIndex('api_key_secrets_present_key')
      .on(t.keyId)
      .where(sql`valid_until is null`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
