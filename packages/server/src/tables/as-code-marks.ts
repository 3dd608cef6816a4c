import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { organizations } from './organizations.ts'

/** Labels of `bey apply` on things of kinds that the inventory does not list, and that have no tags therefore. */
export const asCodeMarks = pgTable(
  'as_code_marks',
  {
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** As files write it: `alert`. */
    kind: text('kind').notNull(),
    thingId: text('thing_id').notNull(),
    label: text('label').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.label, t.kind, t.thingId] }),
    tenantPolicy(),
    systemPolicy(),
  ],
)
