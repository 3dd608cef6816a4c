import { secretLimits } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { organizations } from './organizations.ts'
import { secrets } from './secrets.ts'
import { users } from './users.ts'

/**
 * Values shared by a link that works once. Encrypted in the browser under a key that only the link's fragment holds,
 * so what is here opens nothing; wiped when it is opened or revoked.
 */
export const secretShares = pgTable(
  'secret_shares',
  {
    /** Random in all its bits, for it is what the link names. */
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    secretId: uuid('secret_id'),
    ciphertext: text('ciphertext'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    openedAt: instant('opened_at'),
    openedIp: text('opened_ip'),
    revokedAt: instant('revoked_at'),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.secretId],
      foreignColumns: [secrets.organizationId, secrets.id],
    }).onDelete('cascade'),
    index('secret_shares_list_idx').on(t.organizationId, t.createdAt, t.id),
    index('secret_shares_secret_idx').on(t.organizationId, t.secretId),
    index('secret_shares_expires_at_idx').on(t.expiresAt),
    index('secret_shares_created_by_idx').on(t.createdBy),
    check(
      'secret_shares_ciphertext_fits',
      sql`coalesce(length(${t.ciphertext}), 0) <= ${sql.raw(String(secretLimits.shareCiphertext))}`,
    ),
    check(
      'secret_shares_spent_is_wiped',
      sql`(${t.openedAt} is null and ${t.revokedAt} is null) or ${t.ciphertext} is null`,
    ),
    tenantPolicy(),
    systemPolicy(),
  ],
)
