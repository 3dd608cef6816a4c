import type { TriggerSettings, TriggerType } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import {
  bytea,
  createdAt,
  instant,
  organizationId,
  systemPolicy,
  tenantPolicy,
  updatedAt,
} from './columns.ts'
import { users } from './users.ts'
import { workflows } from './workflows.ts'

/** What starts a workflow by itself: a schedule, an inbound webhook, or an event of the console. */
export const workflowTriggers = pgTable(
  'workflow_triggers',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').notNull(),
    name: text('name').notNull(),
    type: text('type').$type<TriggerType>().notNull(),
    settings: jsonb('settings').$type<TriggerSettings>().notNull(),
    isEnabled: boolean('is_enabled').notNull().default(true),
    /** The secret of a webhook, sealed with the key of the organization. */
    secret: bytea('secret'),
    /** The one before it, which is valid until `previousUntil`. */
    previousSecret: bytea('previous_secret'),
    previousUntil: instant('previous_until'),
    /** When a schedule is due next. */
    nextAt: instant('next_at'),
    lastFiredAt: instant('last_fired_at'),
    lastRunId: uuid('last_run_id'),
    lastError: text('last_error'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    /** The API key that made it: its runs may do what the key may. */
    keyId: uuid('key_id'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('workflow_triggers_organization_id_id_key').on(t.organizationId, t.id),
    unique('workflow_triggers_name_key').on(t.workflowId, t.name),
    foreignKey({
      name: 'workflow_triggers_workflow_fk',
      columns: [t.organizationId, t.workflowId],
      foreignColumns: [workflows.organizationId, workflows.id],
    }).onDelete('cascade'),
    index('workflow_triggers_workflow_idx').on(t.organizationId, t.workflowId),
    index('workflow_triggers_event_idx')
      .on(t.organizationId, sql`(${t.settings} ->> 'event')`)
      .where(sql`${t.type} = 'event' and ${t.isEnabled}`),
    index('workflow_triggers_next_at_idx')
      .on(t.nextAt)
      .where(sql`${t.nextAt} is not null and ${t.isEnabled}`),
    index('workflow_triggers_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
