import { integer, pgTable } from 'drizzle-orm/pg-core'

import { bytea, createdAt, systemPolicy, tenantPolicy } from './columns.ts'
import { organizations } from './organizations.ts'

/** One data key per organization, wrapped by the root key. */
export const organizationKeys = pgTable(
  'organization_keys',
  {
    organizationId: integer('organization_id')
      .primaryKey()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    wrapped: bytea('wrapped').notNull(),
    createdAt: createdAt(),
  },
  () => [tenantPolicy(), systemPolicy()],
)
