import type { AlertAudience, AlertCondition, AlertSeverity, AlertSource } from '@bey/contract/alerts/rules'
import type { AlertInstance } from '@bey/contract/alerts/states'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** One series of an alert as it was last evaluated. */
export type StoredInstance = AlertInstance & {
  labels: Record<string, string>
  /** Of the episode while it fires. */
  episodeId: string | null
}

/** How many resources matched from a time on, in milliseconds since 1970; null while nobody knew. */
export type KnownCount = [sinceMs: number, count: number | null]

/** What alerts watch, and when they fire. */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** `metrics`, `resources`, or the id of a data source. */
    source: text('source').$type<AlertSource>().notNull().default('metrics'),
    expr: text('expr').notNull(),
    condition: jsonb('condition').$type<AlertCondition>().notNull(),
    forMs: integer('for_ms').notNull(),
    severity: text('severity').$type<AlertSeverity>().notNull(),
    audience: text('audience').$type<AlertAudience>().notNull(),
    ownerId: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    isEnabled: boolean('is_enabled').notNull().default(true),
    silencedUntil: instant('silenced_until'),
    silenceReason: text('silence_reason'),
    silencedBy: integer('silenced_by').references(() => users.id, { onDelete: 'set null' }),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    rowVersion: integer('row_version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('alerts_name_key').on(t.organizationId, sql`lower(name)`),
    index('alerts_owner_id_idx').on(t.ownerId),
    index('alerts_silenced_by_idx').on(t.silencedBy),
    index('alerts_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** How alerts are, apart from their rules: written with every evaluation. */
export const alertEvaluations = pgTable(
  'alert_evaluations',
  {
    alertId: uuid('alert_id')
      .primaryKey()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    instances: jsonb('instances')
      .$type<StoredInstance[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    unit: text('unit'),
    /** Of a query of the inventory: its past, which nothing else records. */
    counts: jsonb('counts')
      .$type<KnownCount[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** Why the last evaluation failed, as a sentence. */
    error: text('error'),
    /** The end of the last step that was evaluated, in milliseconds since 1970. */
    evaluatedToMs: bigint('evaluated_to_ms', { mode: 'number' }),
    evaluatedAt: instant('evaluated_at'),
    /** The last time in which nothing evaluated it. */
    gapFrom: instant('gap_from'),
    gapTo: instant('gap_to'),
    /** When a process next evaluates it; null while it is off. */
    checkAt: instant('check_at').defaultNow(),
  },
  (t) => [
    index('alert_evaluations_check_at_idx').on(t.checkAt),
    index('alert_evaluations_organization_id_idx').on(t.organizationId),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Each time that a series fired, from then until it was resolved. */
export const alertEpisodes = pgTable(
  'alert_episodes',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    alertId: uuid('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    labels: jsonb('labels').$type<Record<string, string>>().notNull(),
    firedAt: instant('fired_at').notNull(),
    resolvedAt: instant('resolved_at'),
    peak: doublePrecision('peak'),
    /** When people were notified that it fires; null while the alert is silenced. */
    notifiedAt: instant('notified_at'),
    acknowledgedAt: instant('acknowledged_at'),
    acknowledgedBy: integer('acknowledged_by').references(() => users.id, { onDelete: 'set null' }),
    /** When somebody first acknowledged or silenced it. */
    actedOnAt: instant('acted_on_at'),
  },
  (t) => [
    index('alert_episodes_alert_id_idx').on(t.alertId, t.firedAt),
    index('alert_episodes_open_idx')
      .on(t.organizationId)
      .where(sql`resolved_at is null`),
    index('alert_episodes_fired_at_idx').on(t.organizationId, t.firedAt),
    index('alert_episodes_acknowledged_by_idx').on(t.acknowledgedBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Notices that an alert listed in the console, and for whom; what else was sent stands among the deliveries. */
export const alertNotices = pgTable(
  'alert_notices',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    alertId: uuid('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    title: text('title').notNull(),
    userIds: integer('user_ids').array().notNull(),
  },
  (t) => [
    index('alert_notices_alert_id_idx').on(t.alertId, t.at),
    index('alert_notices_at_idx').on(t.at),
    index('alert_notices_organization_id_idx').on(t.organizationId),
    tenantPolicy(),
    systemPolicy(),
  ],
)
