import type { WorkflowDefinitionBody } from '@bey/contract'
import { foreignKey, index, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { createdAt, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { users } from './users.ts'
import { workflows } from './workflows.ts'

/** What a workflow was at each save; never changed. Runs name the version that they execute. */
export const workflowVersions = pgTable(
  'workflow_versions',
  {
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').notNull(),
    version: integer('version').notNull(),
    /** As text: `jsonb` would forget the order in which fields of the input were written. */
    definition: json('definition').$type<WorkflowDefinitionBody>().notNull(),
    /** SHA-256 of the definition as canonical JSON, in hex. */
    checksum: text('checksum').notNull(),
    reason: text('reason').notNull().default(''),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    /** The API key that saved it: its runs do no more than the key may. Null of a person. */
    keyId: uuid('key_id'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.workflowId, t.version] }),
    foreignKey({
      name: 'workflow_versions_workflow_fk',
      columns: [t.organizationId, t.workflowId],
      foreignColumns: [workflows.organizationId, workflows.id],
    }).onDelete('cascade'),
    index('workflow_versions_organization_idx').on(t.organizationId, t.workflowId, t.version),
    index('workflow_versions_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
