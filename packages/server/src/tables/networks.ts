import type { NetworkFigures } from '@bey/contract'
import type { NamedSet, PolicyKind } from '@bey/contract/networks/rules'
import type { RuleTarget, SecurityRule } from '@bey/contract/networks/security-group-rules'
import type { NetworkStatus } from '@bey/contract/networks/statuses'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import { clusters } from './clusters.ts'
import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { databases } from './databases.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

export type Subnet = { name: string; cidr: string; description: string }

/** Networks of an organization. A deleted one stays as a row with `deleted_at`, and its name is free again. */
export const networks = pgTable(
  'networks',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    region: text('region').notNull().default(''),
    cidr: text('cidr').notNull(),
    cidr6: text('cidr6'),
    isIsolated: boolean('is_isolated').notNull().default(false),
    /** The kind of its policies in clusters. */
    policyKind: text('policy_kind').$type<PolicyKind>().notNull().default('NetworkPolicy'),
    subnets: jsonb('subnets')
      .$type<Subnet[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** Ranges under names, which rules of its security groups name. */
    sets: jsonb('sets')
      .$type<NamedSet[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    status: text('status').$type<NetworkStatus>().notNull(),
    statusSince: instant('status_since').notNull().defaultNow(),
    /** Why it is in this status, in words. */
    reason: text('reason'),
    figures: jsonb('figures').$type<NetworkFigures>(),
    /** What the members were last told of its health: `trouble` or `recovery`; null while nothing. */
    announced: text('announced').$type<'trouble' | 'recovery'>(),
    /** When a process next compares it with its clusters. */
    checkAt: instant('check_at').notNull().defaultNow(),
    lastRunId: uuid('last_run_id'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant('deleted_at'),
    rowVersion: integer('row_version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('networks_name_key')
      .on(t.organizationId, sql`lower(${t.name})`)
      .where(sql`${t.deletedAt} is null`),
    index('networks_created_at_idx').on(t.organizationId, t.createdAt, t.id),
    index('networks_check_at_idx')
      .on(t.checkAt)
      .where(sql`${t.deletedAt} is null`),
    index('networks_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** What takes part in a network. A namespace or a whole cluster has `cluster_id`, a database `database_id`. */
export const networkAttachments = pgTable(
  'network_attachments',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    clusterId: integer('cluster_id').references(() => clusters.id, { onDelete: 'cascade' }),
    /** Empty for a cluster with all its namespaces. */
    namespace: text('namespace').notNull().default(''),
    databaseId: uuid('database_id').references(() => databases.id, { onDelete: 'cascade' }),
  },
  (t) => [
    // Nothing takes part in two networks.
    uniqueIndex('network_attachments_cluster_key')
      .on(t.clusterId, t.namespace)
      .where(sql`${t.clusterId} is not null`),
    uniqueIndex('network_attachments_database_key')
      .on(t.databaseId)
      .where(sql`${t.databaseId} is not null`),
    index('network_attachments_network_id_idx').on(t.networkId),
    index('network_attachments_organization_id_idx').on(t.organizationId),
    tenantPolicy(),
    systemPolicy(),
  ],
)

export type PolicyState = 'in_force' | 'changed' | 'missing' | 'unknown'

/** Policies that Bey keeps in clusters for a network: what was last written there, and how it was found since. */
export const networkPolicies = pgTable(
  'network_policies',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    clusterId: integer('cluster_id')
      .notNull()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<PolicyKind>().notNull().default('NetworkPolicy'),
    namespace: text('namespace').notNull(),
    name: text('name').notNull(),
    /** The `spec` that was written. */
    written: jsonb('written').$type<Record<string, unknown>>().notNull(),
    state: text('state').$type<PolicyState>().notNull(),
    stateSince: instant('state_since').notNull().defaultNow(),
    /** The `spec` that was found where it differs; null where it does not, or is gone. */
    found: jsonb('found').$type<Record<string, unknown>>(),
    /** Who changed it last as its managed fields say: `kubectl-edit`; null where that is not known. */
    changedBy: text('changed_by'),
    checkedAt: instant('checked_at').notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('network_policies_place_key').on(t.clusterId, t.namespace, t.name),
    index('network_policies_network_id_idx').on(t.networkId),
    index('network_policies_organization_id_idx').on(t.organizationId),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Ranges that a cluster gives addresses from, as they were last read. */
export const clusterRanges = pgTable(
  'cluster_ranges',
  {
    clusterId: integer('cluster_id')
      .primaryKey()
      .references(() => clusters.id, { onDelete: 'cascade' }),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    pods: jsonb('pods').$type<string[]>().notNull(),
    services: jsonb('services').$type<string[]>().notNull(),
    readAt: instant('read_at').notNull(),
  },
  (t) => [index('cluster_ranges_organization_id_idx').on(t.organizationId), tenantPolicy(), systemPolicy()],
)

/** Groups of rules that say who enters and leaves the pods they are put on. */
export const securityGroups = pgTable(
  'security_groups',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    networkId: uuid('network_id')
      .notNull()
      .references(() => networks.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    filtersIn: boolean('filters_in').notNull(),
    filtersOut: boolean('filters_out').notNull(),
    rules: jsonb('rules').$type<SecurityRule[]>().notNull(),
    targets: jsonb('targets').$type<RuleTarget[]>().notNull(),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    rowVersion: integer('row_version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('security_groups_name_key').on(t.networkId, sql`lower(${t.name})`),
    index('security_groups_organization_id_idx').on(t.organizationId),
    index('security_groups_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
