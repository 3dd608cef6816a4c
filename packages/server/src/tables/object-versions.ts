import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { clusters } from './clusters.ts'
import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'

/**
 * What objects of clusters said when they changed: spec, data and labels, without status. Never of Secrets. Bounded
 * for each object and each cluster, so that the oldest go first.
 */
export const objectVersions = pgTable(
  'object_versions',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    clusterId: integer('cluster_id').notNull(),
    /** As kubectl names it: `deployments.apps`. */
    resource: text('resource').notNull(),
    kind: text('kind').notNull(),
    namespace: text('namespace').notNull(),
    name: text('name').notNull(),
    uid: text('uid').notNull(),
    /** When it was seen; the cluster's own time where it says one. */
    at: instant('at').notNull(),
    /** `found`: it was there when Bey first looked. */
    change: text('change').$type<'found' | 'created' | 'updated' | 'deleted'>().notNull(),
    /** The field manager that wrote last, as the object says. */
    manager: text('manager'),
    /** Of what is kept, so that a restart finds out what changed meanwhile. */
    hash: text('hash').notNull(),
    bytes: integer('bytes').notNull(),
    /** Null when it was deleted, or is larger than what is kept. */
    object: jsonb('object').$type<Record<string, unknown>>(),
  },
  (t) => [
    foreignKey({
      name: 'object_versions_cluster_fk',
      columns: [t.organizationId, t.clusterId],
      foreignColumns: [clusters.organizationId, clusters.id],
    }).onDelete('cascade'),
    index('object_versions_object_idx').on(
      t.organizationId,
      t.clusterId,
      t.resource,
      t.namespace,
      t.name,
      t.at,
      t.id,
    ),
    index('object_versions_at_idx').on(t.organizationId, t.clusterId, t.at, t.id),
    check('object_versions_change_is_known', sql`${t.change} in ('found', 'created', 'updated', 'deleted')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
