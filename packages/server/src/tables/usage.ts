import type { SharedCostRule, UsageMeter } from '@bey/contract/billing/usage-meters'
import {
  bigint,
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgPolicy,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

import {
  appRole,
  currentOrganization,
  instant,
  organizationId,
  systemPolicy,
  tenantPolicy,
} from './columns.ts'
import { organizations } from './organizations.ts'
import { sql } from 'drizzle-orm'

const ofOrganization = () => organizationId().references(() => organizations.id, { onDelete: 'cascade' })
const meter = () => text('meter').$type<UsageMeter>().notNull()
const subjectId = () => bigint('subject_id', { mode: 'number' }).notNull()

/**
 * Whom usage belongs to: one row for each combination of names that was ever used. Rows keep the names of that time, so
 * deleted things keep theirs.
 */
export const usageSubjects = pgTable(
  'usage_subjects',
  {
    organizationId: ofOrganization(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** Of everything below. */
    key: uuid('key').notNull(),
    clusterId: integer('cluster_id'),
    clusterName: text('cluster_name'),
    namespace: text('namespace'),
    /** `Kind/name`. */
    workload: text('workload'),
    resourceId: text('resource_id'),
    resourceName: text('resource_name'),
    ownerId: integer('owner_id'),
    ownerName: text('owner_name'),
    personId: integer('person_id'),
    personName: text('person_name'),
    provider: text('provider'),
    region: text('region'),
    nodeType: text('node_type'),
    labels: jsonb('labels').$type<Record<string, string>>().notNull(),
  },
  (t) => [
    primaryKey({ name: 'usage_subjects_pk', columns: [t.organizationId, t.id] }),
    unique('usage_subjects_key').on(t.organizationId, t.key),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/**
 * The usage ledger: append-only by grant and trigger; rows go with an organization that is being deleted
 * alone. The source and id of an
 * event are unique for ever, so an event that arrives twice counts once.
 */
export const usageEvents = pgTable(
  'usage_events',
  {
    organizationId: ofOrganization(),
    seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    source: text('source').notNull(),
    eventId: text('event_id').notNull(),
    meter: meter(),
    subjectId: subjectId(),
    /** Negative in a correction. */
    value: numeric('value').notNull(),
    /** When it was used. */
    at: instant('at').notNull(),
    recordedAt: instant('recorded_at').notNull().defaultNow(),
    /** Made by the seed of a demo organization, not measured. */
    isSeeded: boolean('is_seeded').notNull().default(false),
  },
  (t) => [
    primaryKey({ name: 'usage_events_pk', columns: [t.organizationId, t.seq] }),
    unique('usage_events_source_key').on(t.organizationId, t.source, t.eventId),
    index('usage_events_at_idx').on(t.organizationId, t.at, t.seq),
    // Pages say whether anything is seeded.
    index('usage_events_seeded_idx')
      .on(t.organizationId)
      .where(sql`is_seeded`),
    index('usage_events_subject_idx').on(t.organizationId, t.subjectId, t.at, t.seq),
    foreignKey({
      name: 'usage_events_subject_fk',
      columns: [t.organizationId, t.subjectId],
      foreignColumns: [usageSubjects.organizationId, usageSubjects.id],
    }).onDelete('cascade'),
    pgPolicy('tenant', { for: 'select', to: appRole, using: sql`organization_id = ${currentOrganization}` }),
    pgPolicy('append', {
      for: 'insert',
      to: appRole,
      withCheck: sql`organization_id = ${currentOrganization}`,
    }),
    systemPolicy(),
  ],
)

/**
 * Events that are not in the sums yet: written with the event and removed with the sum, so each event is in exactly one
 * of the two. Adding to the sums at once would make every writer of an organization wait for the others.
 */
export const usagePending = pgTable(
  'usage_pending',
  {
    organizationId: ofOrganization(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    meter: meter(),
    subjectId: subjectId(),
    value: numeric('value').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'usage_pending_pk', columns: [t.organizationId, t.seq] }),
    tenantPolicy(),
    systemPolicy(),
  ],
)

const sums = () => ({
  meter: meter(),
  subjectId: subjectId(),
  value: numeric('value').notNull(),
  eventCount: bigint('event_count', { mode: 'number' }).notNull(),
})

/** Sums of the ledger by full hours of UTC. */
export const usageHours = pgTable(
  'usage_hours',
  { organizationId: ofOrganization(), hour: instant('hour').notNull(), ...sums() },
  (t) => [
    primaryKey({ name: 'usage_hours_pk', columns: [t.organizationId, t.hour, t.meter, t.subjectId] }),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Sums of the hours by days of the time zone that the books are in; an hour belongs to the day in which it begins. */
export const usageDays = pgTable(
  'usage_days',
  { organizationId: ofOrganization(), day: date('day').notNull(), ...sums() },
  (t) => [
    primaryKey({ name: 'usage_days_pk', columns: [t.organizationId, t.day, t.meter, t.subjectId] }),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/**
 * Days of the sums by whether their priced lines are made. A day is outdated in the transaction that adds usage to it:
 * `rules` is null until its lines are made anew.
 */
export const usageCostDays = pgTable(
  'usage_cost_days',
  {
    organizationId: ofOrganization(),
    day: date('day').notNull(),
    /** Events in the sums of the day. */
    eventCount: bigint('event_count', { mode: 'number' }).notNull(),
    /** The rule by which shared cost is split in its lines. */
    sharedCost: text('shared_cost').$type<SharedCostRule>(),
    /** The version of the rules of pricing by which its lines were made. */
    rules: integer('rules'),
  },
  (t) => [
    primaryKey({ name: 'usage_cost_days_pk', columns: [t.organizationId, t.day] }),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Priced lines of a day, as they follow from its sums and the prices. Meters with tiers have none: a month prices them. */
export const usageCosts = pgTable(
  'usage_costs',
  {
    organizationId: ofOrganization(),
    day: date('day').notNull(),
    position: integer('position').notNull(),
    /** `nodes`: what the nodes of a cluster cost; `split`: the same over its workloads; `other`: everything else. */
    part: text('part').$type<'nodes' | 'split' | 'other'>().notNull(),
    meter: meter(),
    clusterId: integer('cluster_id'),
    /** Null for the cost of nodes that is kept apart. */
    subjectId: bigint('subject_id', { mode: 'number' }),
    priceVersion: integer('price_version'),
    value: numeric('value').notNull(),
    amount: numeric('amount').notNull(),
  },
  (t) => [
    primaryKey({ name: 'usage_costs_pk', columns: [t.organizationId, t.day, t.part, t.position] }),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** The newest comparison of each month: events with their sums, and sums with their priced lines. */
export const usageProofs = pgTable(
  'usage_proofs',
  {
    organizationId: ofOrganization(),
    month: text('month').notNull(),
    provedAt: instant('proved_at').notNull(),
    eventCount: bigint('event_count', { mode: 'number' }).notNull(),
    isEqual: boolean('is_equal').notNull(),
    text: text('text').notNull(),
  },
  (t) => [
    primaryKey({ name: 'usage_proofs_pk', columns: [t.organizationId, t.month] }),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** How an organization keeps its books. */
export const usageSettings = pgTable(
  'usage_settings',
  {
    organizationId: ofOrganization().primaryKey(),
    /** In which the days are added up: follows that of the organization when the sums are next made. */
    timeZone: text('time_zone').notNull().default('UTC'),
    sharedCost: text('shared_cost').$type<SharedCostRule>().notNull().default('requests'),
  },
  () => [tenantPolicy(), systemPolicy()],
)

/** Up to when a cluster or database was metered from its measurements. */
export const usageMarks = pgTable(
  'usage_marks',
  {
    organizationId: ofOrganization(),
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    meteredTo: instant('metered_to').notNull(),
  },
  (t) => [
    primaryKey({ name: 'usage_marks_pk', columns: [t.organizationId, t.entityType, t.entityId] }),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Times of which there are no measurements, so that nothing is metered. */
export const usageGaps = pgTable(
  'usage_gaps',
  {
    organizationId: ofOrganization(),
    entityType: text('entity_type').notNull(),
    entityId: text('entity_id').notNull(),
    name: text('name').notNull(),
    fromAt: instant('from_at').notNull(),
    toAt: instant('to_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'usage_gaps_pk', columns: [t.organizationId, t.entityType, t.entityId, t.fromAt] }),
    index('usage_gaps_to_at_idx').on(t.organizationId, t.toAt),
    tenantPolicy(),
    systemPolicy(),
  ],
)
