import type { UsageMeter } from '@bey/contract/billing/usage-meters'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  foreignKey,
  integer,
  numeric,
  pgPolicy,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

import { appRole, currentOrganization, instant, organizationId, systemPolicy } from './columns.ts'
import { organizations } from './organizations.ts'

const readPolicy = () =>
  pgPolicy('tenant', { for: 'select', to: appRole, using: sql`organization_id = ${currentOrganization}` })
const appendPolicy = () =>
  pgPolicy('append', { for: 'insert', to: appRole, withCheck: sql`organization_id = ${currentOrganization}` })

/** Frozen months. Append-only by grant and trigger; rows go with their organization alone. */
export const statements = pgTable(
  'statements',
  {
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** From 1, without gaps. */
    number: integer('number').notNull(),
    /** `2026-10`. */
    month: text('month').notNull(),
    fromAt: instant('from_at').notNull(),
    toAt: instant('to_at').notNull(),
    timeZone: text('time_zone').notNull(),
    currency: text('currency').notNull(),
    priceVersions: integer('price_versions').array().notNull(),
    isSeeded: boolean('is_seeded').notNull(),
    frozenAt: instant('frozen_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'statements_pk', columns: [t.organizationId, t.number] }),
    uniqueIndex('statements_month_key').on(t.organizationId, t.month),
    readPolicy(),
    appendPolicy(),
    systemPolicy(),
  ],
)

/**
 * Lines of a statement. A line of another month than its statement's is a correction: what the ledger holds of that month
 * beyond the lines before it.
 */
export const statementLines = pgTable(
  'statement_lines',
  {
    organizationId: organizationId(),
    number: integer('number').notNull(),
    position: integer('position').notNull(),
    /** The month that it is about. */
    month: text('month').notNull(),
    day: date('day').notNull(),
    meter: text('meter').$type<UsageMeter>().notNull(),
    subjectId: bigint('subject_id', { mode: 'number' }).notNull(),
    priceVersion: integer('price_version').notNull(),
    currency: text('currency').notNull(),
    quantity: numeric('quantity').notNull(),
    amount: numeric('amount').notNull(),
  },
  (t) => [
    primaryKey({ name: 'statement_lines_pk', columns: [t.organizationId, t.number, t.position] }),
    foreignKey({
      name: 'statement_lines_statement_fk',
      columns: [t.organizationId, t.number],
      foreignColumns: [statements.organizationId, statements.number],
    }).onDelete('cascade'),
    readPolicy(),
    appendPolicy(),
    systemPolicy(),
  ],
)
