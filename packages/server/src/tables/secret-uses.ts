import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { secrets } from './secrets.ts'

/** What uses a secret, written when it does: one row a user of it, with its last time and version. */
export const secretUses = pgTable(
  'secret_uses',
  {
    organizationId: organizationId(),
    secretId: uuid('secret_id').notNull(),
    /** `user` (revealed it), `workflow`, `cluster`, `database`, `webhook`, `api_key`. */
    subjectType: text('subject_type').notNull(),
    subjectId: text('subject_id').notNull(),
    subjectName: text('subject_name').notNull(),
    useCount: integer('use_count').notNull().default(1),
    lastVersion: integer('last_version').notNull(),
    lastRunId: uuid('last_run_id'),
    firstUsedAt: instant('first_used_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.secretId, t.subjectType, t.subjectId] }),
    foreignKey({
      columns: [t.organizationId, t.secretId],
      foreignColumns: [secrets.organizationId, secrets.id],
    }).onDelete('cascade'),
    index('secret_uses_subject_idx').on(t.organizationId, t.subjectType, t.subjectId),
    tenantPolicy(),
    systemPolicy(),
  ],
)
