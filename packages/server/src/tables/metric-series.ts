import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'

/** How long points of a series are kept: `year` in three resolutions, `days` without the hourly one. */
export type SeriesSpan = 'days' | 'year'

/**
 * What is measured of an entity, and where its points are. The points of up to 128 series of one entity and span lie
 * together as one row a step (a block), each series at its slot: a row a sample would be ten times as large.
 */
export const metricSeries = pgTable(
  'metric_series',
  {
    organizationId: organizationId(),
    block: integer('block').notNull(),
    /** From 1, as PostgreSQL counts elements of arrays. */
    slot: smallint('slot').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    /** With its unit: `cpu_used_millicores`. */
    metric: text('metric').notNull(),
    labels: jsonb('labels').$type<Record<string, string>>().notNull(),
    span: text('span').$type<SeriesSpan>().notNull(),
    /** Written at most once an hour. */
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'metric_series_pk', columns: [t.organizationId, t.block, t.slot] }),
    uniqueIndex('metric_series_name_idx').on(t.organizationId, t.entityType, t.entityId, t.metric, t.labels),
    check('metric_series_span_is_known', sql`${t.span} in ('days', 'year')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** How much of its room an organization has taken. Its row is locked while series are added. */
export const metricQuotas = pgTable(
  'metric_quotas',
  {
    organizationId: organizationId().primaryKey(),
    /** Blocks are numbered from 1 and never used again for another entity. */
    lastBlock: integer('last_block').notNull().default(0),
    /** When series were last refused for want of room, and how many of that write. */
    refusedAt: instant('refused_at'),
    refusedCount: integer('refused_count').notNull().default(0),
  },
  () => [tenantPolicy(), systemPolicy()],
)
