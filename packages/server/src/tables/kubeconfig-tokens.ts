import { foreignKey, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import { clusters } from './clusters.ts'
import { bytea, createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { users } from './users.ts'

/** Tokens inside downloaded kubeconfigs: one user, one cluster, expiring, revocable. Kept as SHA-256. */
export const kubeconfigTokens = pgTable(
  'kubeconfig_tokens',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    clusterId: integer('cluster_id').notNull(),
    tokenHash: bytea('token_hash').notNull(),
    label: text('label').notNull().default(''),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.clusterId],
      foreignColumns: [clusters.organizationId, clusters.id],
    }).onDelete('cascade'),
    unique('kubeconfig_tokens_token_hash_key').on(t.tokenHash),
    index('kubeconfig_tokens_organization_id_idx').on(t.organizationId, t.createdAt),
    index('kubeconfig_tokens_user_id_idx').on(t.userId, t.createdAt),
    index('kubeconfig_tokens_cluster_id_idx').on(t.clusterId),
    tenantPolicy(),
    systemPolicy(),
  ],
)
