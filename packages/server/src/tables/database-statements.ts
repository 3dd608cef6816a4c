import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { databases } from './databases.ts'

/** What pg_stat_statements counted of a statement since its statistics were reset. Times in ms. */
export type StatementCounters = { calls: number; totalMs: number; rows: number; ioMs: number }

/** Why the statements of a server cannot be read, and the lines that switch them on. */
export type StatementsProblem = { text: string; lines: string[] }

/** When the statements and advice of a database were last looked at; one row each. */
export const databaseInsights = pgTable(
  'database_insights',
  {
    databaseId: uuid('database_id')
      .primaryKey()
      .references(() => databases.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    statementsAt: instant('statements_at'),
    /** When the server last forgot its statistics; null where it does not say. */
    statementsSince: instant('statements_since'),
    statementsProblem: jsonb('statements_problem').$type<StatementsProblem>(),
    adviceAt: instant('advice_at'),
  },
  () => [tenantPolicy(), systemPolicy()],
)

/** Statements of a database that took the most time, at most `insightLimits.statements` each. */
export const databaseStatements = pgTable(
  'database_statements',
  {
    databaseId: uuid('database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    /** PostgreSQL's own; it uses all 64 bits. */
    queryId: bigint('query_id', { mode: 'bigint' }).notNull(),
    text: text('text').notNull(),
    isCut: boolean('is_cut').notNull().default(false),
    users: jsonb('users')
      .$type<string[]>()
      .notNull()
      .default(sql`'[]'::jsonb`),
    /** application_name of those that were seen to execute it, each with when last. */
    issuers: jsonb('issuers')
      .$type<Record<string, string>>()
      .notNull()
      .default(sql`'{}'::jsonb`),
    counters: jsonb('counters').$type<StatementCounters>().notNull(),
    /** Time that it took, in ms, of which half counts after half a day: those with the most are kept. */
    score: doublePrecision('score').notNull().default(0),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.databaseId, t.queryId] }), tenantPolicy(), systemPolicy()],
)

/** What a statement did in a minute or an hour. `*_seconds`: how long sessions were seen at it, by what they waited for. */
export const databaseStatementPoints = pgTable(
  'database_statement_points',
  {
    databaseId: uuid('database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    step: text('step').$type<'minute' | 'hour'>().notNull(),
    at: instant('at').notNull(),
    queryId: bigint('query_id', { mode: 'bigint' }).notNull(),
    calls: doublePrecision('calls').notNull(),
    totalMs: doublePrecision('total_ms').notNull(),
    rows: doublePrecision('rows').notNull(),
    ioMs: doublePrecision('io_ms').notNull(),
    cpuSeconds: doublePrecision('cpu_seconds').notNull(),
    ioSeconds: doublePrecision('io_seconds').notNull(),
    lockSeconds: doublePrecision('lock_seconds').notNull(),
    otherSeconds: doublePrecision('other_seconds').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.databaseId, t.step, t.at, t.queryId] }),
    index('database_statement_points_at_idx').on(t.step, t.at),
    check('database_statement_points_step_is_known', sql`${t.step} in ('minute', 'hour')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
