import { z } from 'zod'
import { insightLimits } from './insight-locks.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp, uuid } from '../base/schema.ts'

const amount = z.number().min(0)
const params = z.object({ id: uuid })
const path = '/api/databases/{id}/statements'

/** Ranges in which statements are compared; each with the one of the same length before it. */
export const statementRanges = ['1h', '24h', '7d'] as const

/** A statement as pg_stat_statements knows it, with `$1` for each value, and what it did in the range. Times in ms. */
export const databaseStatement = z
  .object({
    /** PostgreSQL's `queryid`. */
    queryId: z.string(),
    text: z.string(),
    /** The text is longer than what is kept. */
    isCut: z.boolean(),
    firstSeenAt: timestamp,
    lastSeenAt: timestamp,
    calls: amount,
    totalMs: amount,
    meanMs: amount.nullable(),
    rows: amount,
    /** Reading and writing of blocks; 0 where the server does not time it. */
    ioMs: amount,
    /** Of the time of all statements that are kept, 0 to 1. */
    share: z.number().min(0).max(1),
    /** The mean against that of the range before: 2 is twice as slow. Null where it did not run then, or not now. */
    change: amount.nullable(),
    /** Time of each step of the range, the oldest first. */
    trend: z.array(amount).max(200),
    /** Sessions at it on average, by what they waited for, as seen once a second. */
    load: z.object({ cpu: amount, io: amount, lock: amount, other: amount }),
    users: z.array(z.string()).max(20),
    /** application_name of those that were seen to execute it, the newest first. */
    issuers: z.array(z.object({ name: z.string(), at: timestamp })).max(20),
  })
  .meta({ id: 'DatabaseStatement' })
export type DatabaseStatement = z.infer<typeof databaseStatement>

const errors = ['not_found', 'conflict', 'database_unreachable'] as const

export const databaseStatementEndpoints = {
  'databases.statements': endpoint({
    method: 'GET',
    path,
    summary: 'Statements of a database that took the most time in a range',
    access: 'databases.sessions',
    params,
    query: z.object({ range: z.enum(statementRanges).default('1h') }),
    response: z.object({
      from: timestamp,
      to: timestamp,
      stepMs: z.number().int(),
      /** When they were last read from the server; null while they never were. */
      measuredAt: timestamp.nullable(),
      /** When the server last forgot its statistics; null where it does not say. */
      since: timestamp.nullable(),
      /** Why they cannot be read, and the lines that switch them on; null where they can. */
      problem: z.object({ text: z.string(), lines: z.array(z.string()).max(5) }).nullable(),
      /** Commands that took longest, as the slow log of Redis and Valkey has them; null for other engines. */
      slowest: z
        .array(z.object({ at: timestamp, durationMs: amount, text: z.string() }))
        .max(50)
        .nullable(),
      statements: z.array(databaseStatement).max(insightLimits.statements),
    }),
    errors: ['not_found'],
  }),
  'databases.measureStatements': endpoint({
    method: 'POST',
    path: `${path}/measure`,
    summary: 'Read the statements of a database from its server now instead of within a minute',
    access: 'databases.sessions',
    params,
    response: z.object({ measuredAt: timestamp }),
    errors,
    withoutIdempotencyKey: 'To read twice is to read once.',
    outdates: [],
  }),
} as const
