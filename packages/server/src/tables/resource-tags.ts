import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Tags and owners of resources, by their ids in the inventory: an object that is made again under its name has them. */
export const resourceTags = pgTable(
  'resource_tags',
  {
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    resourceId: text('resource_id').notNull(),
    tags: text('tags')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    ownerId: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    /** Since when no source of the inventory knows the resource; null while one does. */
    missingSince: instant('missing_since'),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.resourceId] }),
    index('resource_tags_owner_id_idx').on(t.ownerId),
    tenantPolicy(),
    systemPolicy(),
  ],
)
