import type { AnnotationStatus } from '@bey/contract/annotations/rules'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

export type Viewport = { width: number; height: number }
export type ElementRect = { top: number; left: number; width: number; height: number }

/** The path of an address without its search: by which notes of a page are found. */
export const pathOf = (url: AnyPgColumn) => sql<string>`split_part(${url}, '?', 1)`

/** Notes on elements and areas of pages of the console. */
export const annotations = pgTable(
  'annotations',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    componentName: text('component_name').notNull(),
    xpath: text('xpath').notNull(),
    selectedText: text('selected_text'),
    annotationText: text('annotation_text').notNull(),
    /** Path and search. */
    url: text('url').notNull(),
    viewport: jsonb('viewport').$type<Viewport>().notNull(),
    elementRect: jsonb('element_rect').$type<ElementRect>().notNull(),
    status: text('status').$type<AnnotationStatus>().notNull().default('open'),
    resolvedAt: instant('resolved_at'),
    resolvedBy: integer('resolved_by').references(() => users.id, { onDelete: 'set null' }),
    replyCount: integer('reply_count').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('annotations_organization_id_id_key').on(t.organizationId, t.id),
    index('annotations_created_at_idx').on(t.organizationId, t.createdAt, t.id),
    index('annotations_updated_at_idx').on(t.organizationId, t.updatedAt, t.id),
    index('annotations_component_name_idx').on(t.organizationId, t.componentName, t.id),
    index('annotations_url_idx').on(t.organizationId, t.url, t.id),
    index('annotations_path_idx').on(t.organizationId, pathOf(t.url)),
    index('annotations_user_id_idx').on(t.userId),
    index('annotations_resolved_by_idx').on(t.resolvedBy),
    check('annotations_status_is_known', sql`${t.status} in ('open', 'resolved')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
