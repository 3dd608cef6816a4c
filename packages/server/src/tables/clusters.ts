import type { ClusterStatus } from '@bey/contract/base/statuses'
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

export type NodeGroup = { name: string; count: number; [key: string]: unknown }

export type Reachability = 'unknown' | 'reachable' | 'unreachable'

/** Kubernetes clusters. A deleted one stays as a row with `deleted_at`, and its title is free again. */
export const clusters = pgTable(
  'clusters',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    /** What members wrote about it. */
    description: text('description').notNull().default(''),
    labels: jsonb('labels')
      .$type<Record<string, string>>()
      .notNull()
      .default(sql`'{}'::jsonb`),
    status: text('status').$type<ClusterStatus>().notNull().default('PENDING'),
    pendingOperations: integer('pending_operations').notNull().default(0),
    provider: text('provider').notNull(),
    region: text('region'),
    version: text('version'),
    nodeGroups: jsonb('node_groups')
      .$type<NodeGroup[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    error: text('error'),
    reachability: text('reachability').$type<Reachability>().notNull().default('unknown'),
    reachabilitySince: instant('reachability_since'),
    reachabilityReason: text('reachability_reason'),
    /** Of its namespace `kube-system`: which cluster answers. Null until it was asked, and where that may not be read. */
    kubeSystemUid: text('kube_system_uid'),
    /** When it was last found to have been restored or replaced. */
    replacedAt: instant('replaced_at'),
    /** When and why its control plane last had to be started again; null while it never had to. */
    restartedAt: instant('restarted_at'),
    restartReason: text('restart_reason'),
    lastRunId: uuid('last_run_id'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant('deleted_at'),
    rowVersion: integer('row_version').notNull().default(1),
  },
  (t) => [
    // The target of composite foreign keys: a row can only point at a cluster of its own organization.
    unique('clusters_organization_id_id_key').on(t.organizationId, t.id),
    uniqueIndex('clusters_title_key')
      .on(t.organizationId, sql`lower(${t.title})`)
      .where(sql`${t.deletedAt} is null`),
    index('clusters_created_at_idx')
      .on(t.organizationId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('clusters_title_idx')
      .on(t.organizationId, t.title, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('clusters_status_idx')
      .on(t.organizationId, t.status, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('clusters_deleted_idx')
      .on(t.organizationId, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is not null`),
    index('clusters_created_by_idx').on(t.createdBy),
    check('clusters_pending_operations_is_not_negative', sql`${t.pendingOperations} >= 0`),
    check(
      'clusters_reachability_is_known',
      sql`${t.reachability} in ('unknown', 'reachable', 'unreachable')`,
    ),
    tenantPolicy(),
    systemPolicy(),
  ],
)
