import type { Paper } from '@bey/contract/paper/paper'
import type { ReportKind, ReportParameters } from '@bey/contract/reports/rules'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import {
  bytea,
  createdAt,
  instant,
  organizationId,
  systemPolicy,
  tenantPolicy,
  updatedAt,
} from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** What is reported, how often and to whom. */
export const reports = pgTable(
  'reports',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    kind: text('kind').$type<ReportKind>().notNull(),
    parameters: jsonb('parameters').$type<ReportParameters>().notNull(),
    /** Five fields as in crontab; null without a schedule. */
    schedule: text('schedule'),
    /** Null while it is paused or has no schedule. */
    nextAt: instant('next_at'),
    /** Why it is paused or was late, as a sentence. */
    note: text('note'),
    /** Ids of users. */
    recipients: jsonb('recipients')
      .$type<number[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** With whose rights the schedule reads; null after they deleted their account. */
    ownerId: integer('owner_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('reports_name_key').on(t.organizationId, sql`lower(name)`),
    index('reports_created_at_idx').on(t.organizationId, t.createdAt, t.id),
    index('reports_next_at_idx').on(t.nextAt),
    index('reports_owner_id_idx').on(t.ownerId),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Reports as they were frozen. They are never changed. */
export const reportIssues = pgTable(
  'report_issues',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    reportId: uuid('report_id')
      .notNull()
      .references(() => reports.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    paper: jsonb('paper').$type<Paper>().notNull(),
    /** What it was made with, by which it is compared with the present. */
    parameters: jsonb('parameters').$type<ReportParameters>().notNull(),
    asOf: instant('as_of').notNull(),
    trigger: text('trigger').$type<'manual' | 'schedule'>().notNull(),
    recipients: jsonb('recipients').$type<number[]>().notNull(),
    issuedBy: integer('issued_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('report_issues_report_id_idx').on(t.organizationId, t.reportId, t.asOf, t.id),
    index('report_issues_only_report_id_idx').on(t.reportId),
    index('report_issues_issued_by_idx').on(t.issuedBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Who read an issue. */
export const reportReads = pgTable(
  'report_reads',
  {
    issueId: uuid('issue_id')
      .notNull()
      .references(() => reportIssues.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    readAt: instant('read_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.issueId, t.userId] }),
    index('report_reads_organization_id_idx').on(t.organizationId),
    index('report_reads_user_id_idx').on(t.userId),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Links that open one issue without an account. Their tokens are not kept. */
export const reportLinks = pgTable(
  'report_links',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    issueId: uuid('issue_id')
      .notNull()
      .references(() => reportIssues.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token. */
    tokenHash: bytea('token_hash').notNull(),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    openedCount: integer('opened_count').notNull().default(0),
    lastOpenedAt: instant('last_opened_at'),
  },
  (t) => [
    uniqueIndex('report_links_token_hash_key').on(t.tokenHash),
    index('report_links_organization_id_idx').on(t.organizationId, t.issueId),
    index('report_links_issue_id_idx').on(t.issueId),
    index('report_links_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
