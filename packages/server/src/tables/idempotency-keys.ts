import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgPolicy, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import {
  appRole,
  bytea,
  createdAt,
  currentOrganization,
  currentUserId,
  organizationId,
  systemPolicy,
} from './columns.ts'
import { users } from './users.ts'

/** Requests that carried `Idempotency-Key`, kept 24 h; `status_code` is null while the first is in flight. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    id: uuid('id').primaryKey(),
    /** 0 for a request outside any organization, hence no foreign key. */
    organizationId: organizationId().default(0),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    endpoint: text('endpoint').notNull(),
    requestHash: bytea('request_hash').notNull(),
    statusCode: integer('status_code'),
    response: jsonb('response').$type<unknown>(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('idempotency_keys_key_key').on(t.organizationId, t.userId, t.endpoint, t.key),
    index('idempotency_keys_user_id_idx').on(t.userId),
    index('idempotency_keys_created_at_idx').on(t.createdAt),
    pgPolicy('tenant', {
      for: 'all',
      to: appRole,
      using: sql`organization_id = ${currentOrganization} or (organization_id = 0 and user_id = ${currentUserId})`,
      withCheck: sql`organization_id = ${currentOrganization} or (organization_id = 0 and user_id = ${currentUserId})`,
    }),
    systemPolicy(),
  ],
)
