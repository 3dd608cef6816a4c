import type { WorkflowDefinitionBody, WorkflowState } from '@bey/contract'
import { sql } from 'drizzle-orm'
import {
  index,
  integer,
  json,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { createdAt, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Workflows of an organization. `built_in` names the product's own (`cluster.provision`), which are read-only. */
export const workflows = pgTable(
  'workflows',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    type: text('type').notNull(),
    /** Whether triggers start it (`active`) or not. What its runs do stands in their rows alone. */
    state: text('state').$type<WorkflowState>().notNull().default('active'),
    /** When its deletion was asked for: it is archived until then plus seven days, and then gone with its runs. */
    deletedAt: timestamp('deleted_at', { withTimezone: true }),
    /** Its state before that, which restoring brings back. */
    stateBefore: text('state_before').$type<WorkflowState>(),
    builtIn: text('built_in'),
    /** Of the current version, so that a list need not look at the versions; null for built-in ones. */
    definition: json('definition').$type<WorkflowDefinitionBody>(),
    tags: text('tags')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    currentVersion: integer('current_version').notNull().default(1),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('workflows_organization_id_id_key').on(t.organizationId, t.id),
    unique('workflows_name_key').on(t.organizationId, t.name),
    uniqueIndex('workflows_built_in_key').on(t.organizationId, t.builtIn),
    index('workflows_created_at_idx').on(t.organizationId, t.createdAt, t.id),
    index('workflows_created_by_idx').on(t.createdBy),
    index('workflows_type_idx').on(t.organizationId, t.type),
    tenantPolicy(),
    systemPolicy(),
  ],
)
