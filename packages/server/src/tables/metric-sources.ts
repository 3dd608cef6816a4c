import type { MetricSourceTarget } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Prometheus-compatible stores that an organization reads. Nothing of what they hold is kept here. */
export const metricSources = pgTable(
  'metric_sources',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Its cluster and its secret may be gone: queries then say so. */
    target: jsonb('target').$type<MetricSourceTarget>().notNull(),
    testedAt: instant('tested_at'),
    problem: text('problem'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('metric_sources_name_key').on(t.organizationId, sql`lower(name)`),
    index('metric_sources_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
