import { z } from 'zod'
import { insightLimits } from './insight-locks.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp, uuid } from '../base/schema.ts'

const amount = z.number().min(0)
const params = z.object({ id: uuid })
const path = '/api/databases/{id}/advice'
const key = z.string().regex(/^[a-z-]+:[^\n]{1,300}$/, 'Send the key of the advice as it was listed.')

/** Advice on a database: what was found, by which figures, and the statement that mends it. */
export const databaseAdvice = z
  .object({
    key: z.string(),
    rule: z.string(),
    title: z.string(),
    detail: z.string(),
    evidence: z.array(z.object({ label: z.string(), value: z.string() })).max(10),
    /** Null where it takes a decision that no statement makes. */
    sql: z.string().nullable(),
    /** Statements that it is about, by PostgreSQL's `queryid`. */
    queryIds: z.array(z.string()).max(20),
    /** `open`: it holds. `dismissed`: somebody decided against it. `done`: it was executed, and does not hold any more. */
    state: z.enum(['open', 'dismissed', 'done']),
    firstSeenAt: timestamp,
    dismissed: z.object({ at: timestamp, by: z.string(), reason: z.string() }).nullable(),
    executedAt: timestamp.nullable(),
    /** Means of its statements before and after it was executed, in ms; null where they did not run then. */
    effects: z
      .array(
        z.object({
          queryId: z.string(),
          text: z.string(),
          beforeMs: amount.nullable(),
          afterMs: amount.nullable(),
        }),
      )
      .max(20),
  })
  .meta({ id: 'DatabaseAdvice' })
export type DatabaseAdvice = z.infer<typeof databaseAdvice>

const list = z.object({
  /** When the rules were last applied; null while they never were. */
  checkedAt: timestamp.nullable(),
  advice: z.array(databaseAdvice).max(insightLimits.advice),
})

export const databaseAdviceEndpoints = {
  'databases.advice': endpoint({
    method: 'GET',
    path,
    summary: 'What would make a database quicker or safer, with the figures and the statement that mends it',
    access: 'databases.sessions',
    params,
    response: list,
    errors: ['not_found'],
  }),
  'databases.checkAdvice': endpoint({
    method: 'POST',
    path: `${path}/check`,
    summary: 'Apply the rules of advice to a database now',
    access: 'databases.sessions',
    params,
    response: list,
    errors: ['not_found', 'conflict', 'database_unreachable'],
    withoutIdempotencyKey: 'To check twice is to check once.',
    outdates: [],
  }),
  'databases.dismissAdvice': endpoint({
    method: 'POST',
    path: `${path}/dismiss`,
    summary: 'Dismiss advice on a database, with a reason, or take that back',
    access: 'databases.update',
    params,
    body: z.strictObject({
      key,
      /** Null takes the decision back. */
      reason: z
        .string()
        .trim()
        .min(3, 'Say why, for those who ask later.')
        .max(insightLimits.reason)
        .nullable(),
    }),
    response: list,
    errors: ['not_found'],
    withoutIdempotencyKey: 'To dismiss twice is to dismiss once.',
    outdates: [],
  }),
} as const
