import type { KubernetesSecretType, SecretDrift, SecretSyncState } from '@bey/contract'
import { kubernetesSecretTypes, secretSyncStates } from '@bey/contract'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

import { clusters } from './clusters.ts'
import { createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { secrets } from './secrets.ts'
import { users } from './users.ts'

const oneOf = (values: readonly string[]) => sql.raw(`(${values.map((value) => `'${value}'`).join(', ')})`)

/** Copies of secrets in clusters: what shall be there, what is, and when it is looked at next. No values. */
export const secretSyncs = pgTable(
  'secret_syncs',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    secretId: uuid('secret_id').notNull(),
    clusterId: integer('cluster_id').notNull(),
    namespace: text('namespace').notNull(),
    name: text('name').notNull(),
    kubernetesType: text('kubernetes_type').$type<KubernetesSecretType>().notNull(),
    /** Source by key of the Kubernetes Secret. */
    keys: jsonb('keys').$type<Record<string, string>>().notNull(),
    labels: jsonb('labels').$type<Record<string, string>>().notNull().default({}),
    restarts: boolean('restarts').notNull().default(false),
    correctsDrift: boolean('corrects_drift').notNull().default(false),
    onRemoval: text('on_removal').$type<'leave' | 'delete'>().notNull().default('leave'),
    /** Whether a Secret that Bey did not make may be taken over; used up by it. */
    takesOver: boolean('takes_over').notNull().default(false),
    state: text('state').$type<SecretSyncState>().notNull().default('pending'),
    /** While `removing`: what becomes of what is in the cluster. */
    removal: text('removal').$type<'leave' | 'delete'>(),
    syncedVersion: integer('synced_version'),
    syncedAt: instant('synced_at'),
    checkedAt: instant('checked_at'),
    /** Whose workloads are still to be restarted. */
    restartVersion: integer('restart_version'),
    drift: jsonb('drift').$type<SecretDrift[]>().notNull().default([]),
    /** Keyed hash of what is in the cluster, by which an accepted difference is known again. */
    driftHash: text('drift_hash'),
    acceptedHash: text('accepted_hash'),
    /** Writes what shall be there over what differs. */
    putsRight: boolean('puts_right').notNull().default(false),
    error: text('error'),
    attempts: integer('attempts').notNull().default(0),
    /** When it is looked at next; meanwhile the process that claimed it works on it. */
    nextAt: instant('next_at').notNull(),
    claim: uuid('claim'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.secretId],
      foreignColumns: [secrets.organizationId, secrets.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.organizationId, t.clusterId],
      foreignColumns: [clusters.organizationId, clusters.id],
    }).onDelete('cascade'),
    unique('secret_syncs_target_key').on(t.organizationId, t.clusterId, t.namespace, t.name),
    index('secret_syncs_secret_idx').on(t.organizationId, t.secretId),
    index('secret_syncs_next_at_idx').on(t.nextAt),
    index('secret_syncs_created_by_idx').on(t.createdBy),
    check('secret_syncs_state_is_known', sql`${t.state} in ${oneOf(secretSyncStates)}`),
    check(
      'secret_syncs_type_is_known',
      sql`${t.kubernetesType} in ${oneOf(Object.keys(kubernetesSecretTypes))}`,
    ),
    check('secret_syncs_removal_is_known', sql`(${t.state} = 'removing') = (${t.removal} is not null)`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
