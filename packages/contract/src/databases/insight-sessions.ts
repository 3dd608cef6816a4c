import { z } from 'zod'
import { insightLimits } from './insight-locks.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp, uuid } from '../base/schema.ts'

const count = z.number().int().min(0)
const path = '/api/databases/{id}'
const params = z.object({ id: uuid })

/** A session of a server, as pg_stat_activity and pg_locks show it. */
export const databaseSession = z
  .object({
    pid: z.number().int().min(1),
    /** When the process was started, in microseconds since 1970: with the pid it names one session. Null without pg_monitor. */
    identity: z.string().nullable(),
    /** Its application_name, else its user. */
    client: z.string(),
    username: z.string().nullable(),
    address: z.string().nullable(),
    /** Null without pg_monitor. */
    state: z.enum(['active', 'idle', 'idle in transaction', 'other']).nullable(),
    /** Such as `Lock` and `transactionid`; null while it works. */
    waitType: z.string().nullable(),
    wait: z.string().nullable(),
    /** The lock that it waits for; null where it waits for none. */
    waitsFor: z.object({ lock: z.string(), mode: z.string(), relation: z.string().nullable() }).nullable(),
    waitingSince: timestamp.nullable(),
    /** Pids of the sessions that it waits for. */
    blockedBy: z.array(count).max(insightLimits.sessions),
    transactionStartedAt: timestamp.nullable(),
    /** Since when it has been in its state. */
    stateSince: timestamp.nullable(),
    /** What it does, or did last, without passwords; null without pg_monitor. */
    statement: z.string().nullable(),
    /** It has changed something that its end would roll back. */
    hasChanges: z.boolean(),
    /** Tables that it holds locks for writing on. */
    writes: z.array(z.string()).max(10),
  })
  .meta({ id: 'DatabaseSession' })
export type DatabaseSession = z.infer<typeof databaseSession>

const errors = ['not_found', 'conflict', 'database_unreachable'] as const
const sessionParams = params.extend({ pid: z.coerce.number().int().min(1).max(2_147_483_647) })
const identity = z.string().regex(/^\d{1,20}$/, 'Send the identity of the session as it was listed.')
const outcome = z.object({
  /** False where the server was told and the session goes on, such as one that does not come to a place to stop. */
  isDone: z.boolean(),
})

export const databaseSessionEndpoints = {
  'databases.sessions': endpoint({
    method: 'GET',
    path: `${path}/sessions`,
    summary: 'Sessions of a database that wait, hold others up or have a transaction open, the oldest first',
    access: 'databases.sessions',
    params,
    response: z.object({
      at: timestamp,
      sessions: z.array(databaseSession).max(insightLimits.sessions),
      /** Of the server, whatever they do. */
      total: count,
      /** Who holds the connections of `total`, the most first. */
      clients: z
        .array(
          z.object({
            /** The name that it gave for itself, or else its user. */
            client: z.string(),
            connections: count,
          }),
        )
        .max(insightLimits.clients),
      /** What Bey cannot see there, a sentence each. */
      notes: z.array(z.string()).max(5),
    }),
    errors,
  }),
  'databases.lockMinutes': endpoint({
    method: 'GET',
    path: `${path}/lock-minutes`,
    summary: 'Minutes of the last 24 h in which sessions of a database waited for a lock, the newest first',
    access: 'databases.sessions',
    params,
    query: z.object({
      /** The newest of them. */
      atMost: z.coerce.number().int().min(1).max(insightLimits.minutes).default(60),
    }),
    response: z.object({
      minutes: z
        .array(
          z.object({
            /** The moment in the minute at which they were seen. */
            at: timestamp,
            /** Sessions that waited then. */
            waiting: count,
          }),
        )
        .max(insightLimits.minutes),
    }),
    errors: ['not_found'],
  }),
  'databases.lockMinute': endpoint({
    method: 'GET',
    path: `${path}/lock-minutes/{at}`,
    summary: 'Who waited for whom in a database at a minute that is kept',
    access: 'databases.sessions',
    params: params.extend({ at: timestamp }),
    response: z.object({
      at: timestamp,
      sessions: z.array(databaseSession).max(insightLimits.keptSessions),
      /** Of the server, whatever they did. */
      total: count,
      waiting: count,
    }),
    errors: ['not_found'],
  }),
  'databases.cancelSession': endpoint({
    method: 'POST',
    path: `${path}/sessions/{pid}/cancel`,
    summary: 'Cancel the statement that a session executes; its transaction fails, the session stays',
    access: 'databases.endSessions',
    params: sessionParams,
    body: z.strictObject({ identity, reason: z.string().trim().max(insightLimits.reason).default('') }),
    response: outcome,
    errors,
    withoutIdempotencyKey: 'The identity of the session keeps it from being done to another one.',
    outdates: [],
  }),
  'databases.endSession': endpoint({
    method: 'POST',
    path: `${path}/sessions/{pid}/end`,
    summary: 'End a session; what its transaction changed is rolled back',
    access: 'databases.endSessions',
    params: sessionParams,
    body: z.strictObject({
      identity,
      reason: z.string().trim().min(3, 'Enter a reason for the audit log.').max(insightLimits.reason),
    }),
    response: outcome,
    errors,
    withoutIdempotencyKey: 'The identity of the session keeps it from being done to another one.',
    outdates: [],
  }),
} as const
