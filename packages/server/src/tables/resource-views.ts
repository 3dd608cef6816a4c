import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import { createdAt, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Queries of the inventory that people saved, for themselves or for everybody. */
export const resourceViews = pgTable(
  'resource_views',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    query: text('query').notNull(),
    isShared: boolean('is_shared').notNull(),
    /** Goes with the account. */
    createdBy: integer('created_by')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('resource_views_name_key').on(t.organizationId, t.createdBy, sql`lower(${t.name})`),
    index('resource_views_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
