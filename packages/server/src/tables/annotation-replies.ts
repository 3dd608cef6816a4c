import { foreignKey, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { annotations } from './annotations.ts'
import { createdAt, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { users } from './users.ts'

/** What was answered to a note. */
export const annotationReplies = pgTable(
  'annotation_replies',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    annotationId: uuid('annotation_id').notNull(),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    text: text('text').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      name: 'annotation_replies_annotation_id_fk',
      columns: [t.organizationId, t.annotationId],
      foreignColumns: [annotations.organizationId, annotations.id],
    }).onDelete('cascade'),
    index('annotation_replies_annotation_id_idx').on(t.organizationId, t.annotationId, t.id),
    index('annotation_replies_user_id_idx').on(t.userId),
    tenantPolicy(),
    systemPolicy(),
  ],
)
