import type { BoardDefinition, BoardVisibility } from '@bey/contract/boards/rules'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Boards as they are now. A private one is read by its creator alone. */
export const boards = pgTable(
  'boards',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    visibility: text('visibility').$type<BoardVisibility>().notNull(),
    definition: jsonb('definition').$type<BoardDefinition>().notNull(),
    version: integer('version').notNull().default(1),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    updatedBy: integer('updated_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // A private board does not tell others that its name exists.
    uniqueIndex('boards_name_key')
      .on(t.organizationId, sql`lower(name)`)
      .where(sql`visibility = 'organization'`),
    uniqueIndex('boards_private_name_key')
      .on(t.organizationId, t.createdBy, sql`lower(name)`)
      .where(sql`visibility = 'private'`),
    index('boards_created_at_idx').on(t.organizationId, t.createdAt, t.id),
    index('boards_created_by_idx').on(t.createdBy),
    index('boards_updated_by_idx').on(t.updatedBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** What a board was in each of its versions, the current one included. */
export const boardVersions = pgTable(
  'board_versions',
  {
    boardId: uuid('board_id')
      .notNull()
      .references(() => boards.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull(),
    definition: jsonb('definition').$type<BoardDefinition>().notNull(),
    savedBy: integer('saved_by').references(() => users.id, { onDelete: 'set null' }),
    savedAt: instant('saved_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.boardId, t.version] }),
    index('board_versions_organization_id_idx').on(t.organizationId),
    index('board_versions_saved_by_idx').on(t.savedBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
