import type { MeterPrice } from '@bey/contract'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Price lists of an organization. A version holds until the next one does and is never changed. */
export const priceVersions = pgTable(
  'price_versions',
  {
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** From 1. */
    version: integer('version').notNull(),
    currency: text('currency').notNull(),
    prices: jsonb('prices').$type<MeterPrice[]>().notNull(),
    /** A full hour. */
    holdsFrom: instant('holds_from').notNull(),
    note: text('note').notNull(),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: 'price_versions_pk', columns: [t.organizationId, t.version] }),
    uniqueIndex('price_versions_holds_from_key').on(t.organizationId, t.holdsFrom),
    index('price_versions_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
