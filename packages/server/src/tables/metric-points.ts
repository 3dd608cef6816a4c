import { index, integer, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'

/*
 * Each of these tables is partitioned by `at`, which drizzle cannot say: see the migration that makes them. Partitions
 * are made ahead and dropped by the server, in a schema that the application role cannot see.
 */

const ofBlock = () => ({
  organizationId: organizationId(),
  block: integer('block').notNull(),
  /** The beginning of the step. */
  at: instant('at').notNull(),
})

/** One row a block and 15 s: the value of each slot, null for none. */
export const metricSamples = pgTable(
  'metric_samples',
  { ...ofBlock(), readings: real('readings').array().notNull() },
  (t) => [
    primaryKey({ name: 'metric_samples_pk', columns: [t.organizationId, t.block, t.at] }),
    index('metric_samples_at_idx').on(t.organizationId, t.at),
    tenantPolicy(),
    systemPolicy(),
  ],
)

const rolledUp = () => ({
  ...ofBlock(),
  averages: real('averages').array().notNull(),
  maxima: real('maxima').array().notNull(),
})

/** One row a block and minute, from the samples. */
export const metricMinutes = pgTable('metric_minutes', rolledUp(), (t) => [
  primaryKey({ name: 'metric_minutes_pk', columns: [t.organizationId, t.block, t.at] }),
  index('metric_minutes_at_idx').on(t.organizationId, t.at),
  tenantPolicy(),
  systemPolicy(),
])

/** One row a block and hour, from the minutes; of series that are kept for a year. */
export const metricHours = pgTable('metric_hours', rolledUp(), (t) => [
  primaryKey({ name: 'metric_hours_pk', columns: [t.organizationId, t.block, t.at] }),
  tenantPolicy(),
  systemPolicy(),
])

/**
 * Minutes and hours in which something was written since they were last rolled up. The mark is made with the samples
 * and removed with the result, so that no crash leaves a step half done.
 */
export const metricPending = pgTable(
  'metric_pending',
  {
    organizationId: organizationId(),
    step: text('step').$type<'minute' | 'hour'>().notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'metric_pending_pk', columns: [t.organizationId, t.step, t.at] }),
    index('metric_pending_at_idx').on(t.at),
    tenantPolicy(),
    systemPolicy(),
  ],
)
