import { z } from 'zod'
import { loginLimits, loginModes, loginStatuses } from './login-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { actor, timestamp, uuid } from '../base/schema.ts'

const params = z.object({ id: uuid })
const path = '/api/databases/{id}/logins'

const databaseLogin = z
  .object({
    id: uuid,
    databaseId: uuid,
    /** The user in PostgreSQL. */
    username: z.string(),
    mode: z.enum(loginModes),
    status: z.enum(loginStatuses),
    /** What it is for, in the words of whoever asked for it. */
    reason: z.string(),
    expiresAt: timestamp,
    /** When it was removed from the server. */
    endedAt: timestamp.nullable(),
    createdBy: actor,
    createdAt: timestamp,
  })
  .meta({ id: 'DatabaseLogin' })
export type DatabaseLogin = z.infer<typeof databaseLogin>

export const databaseLoginEndpoints = {
  'databases.logins.list': endpoint({
    method: 'GET',
    path,
    summary: 'Personal logins of a database: those that work, and the last that ended',
    access: 'databases.read',
    params,
    response: z.object({ logins: z.array(databaseLogin).max(loginLimits.listed) }),
    errors: ['not_found'],
  }),
  'databases.logins.create': endpoint({
    method: 'POST',
    path,
    summary:
      'Get a login of your own to a database, which ends by itself; one that changes data needs databases.execute',
    access: 'databases.query',
    params,
    body: z.strictObject({
      mode: z.enum(loginModes).default('read'),
      minutes: z
        .number()
        .int()
        .min(loginLimits.minMinutes)
        .max(loginLimits.maxMinutes)
        .default(loginLimits.defaultMinutes),
      reason: z.string().trim().min(3, 'Say what it is for, for the audit log.').max(loginLimits.reason),
    }),
    response: z.object({
      login: databaseLogin,
      /** Shown here alone. */
      password: z.string(),
    }),
    answersSecret: true,
    status: 201,
    errors: ['not_found', 'conflict', 'limit_reached', 'database_unreachable'],
    outdates: [path],
  }),
  'databases.logins.end': endpoint({
    method: 'POST',
    path: `${path}/{loginId}/end`,
    summary:
      'End a login and its connections; it is `ended` once its server has removed it. That of somebody else needs databases.endSessions',
    access: 'databases.query',
    params: params.extend({ loginId: uuid }),
    response: databaseLogin,
    errors: ['not_found'],
    outdates: [path],
  }),
} as const
