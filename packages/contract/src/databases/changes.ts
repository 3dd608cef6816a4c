import { z } from 'zod'
import { allowListLimits, networkProblem } from './allow-list.ts'
import { manageLimits } from './manage-rules.ts'
import { databasePlanIds } from './rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { uuid } from '../base/schema.ts'

const params = z.object({ id: uuid })
const path = '/api/databases/{id}'
const errors = ['not_found', 'conflict', 'database_unreachable'] as const

const databaseParameter = z
  .object({
    name: z.string(),
    /** As the server shows it, with its unit: `4MB`. */
    value: z.string(),
    default: z.string(),
    /** What a bare number counts. */
    unit: z.string().nullable(),
    category: z.string(),
    /** What it means, in PostgreSQL's words. */
    about: z.string(),
    /**
     * Where the value comes from: `default`, `size` (Bey decides it, by the size of the database), `set` here, or
     * the files of the `server`.
     */
    source: z.enum(['default', 'size', 'set', 'server']),
    needsRestart: z.boolean(),
    /** It was changed, and takes effect with the next restart. */
    isPending: z.boolean(),
    /** The values that it takes, where they are a list. */
    values: z.array(z.string()).max(50),
    /** Why it is not changed here; null where it is. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'DatabaseParameter' })
export type DatabaseParameter = z.infer<typeof databaseParameter>

/** Networks from which a database of Bey's is reached, beside the machine of Bey. */
export const allowListBody = z
  .array(
    z.strictObject({
      cidr: z
        .string()
        .max(50)
        .superRefine((cidr, context) => {
          const message = networkProblem(cidr)
          if (message !== undefined) context.addIssue({ code: 'custom', message })
        }),
      about: z.string().trim().max(allowListLimits.about).default(''),
    }),
  )
  .max(allowListLimits.entries)

const changes = z
  .strictObject({
    /** Another size: its server is restarted. */
    plan: z.enum(databasePlanIds).optional(),
    /** Values by name; null takes the value back that the server has without it. */
    parameters: z
      .record(z.string().min(1).max(63), z.string().max(manageLimits.value).nullable())
      .refine((all) => Object.keys(all).length <= manageLimits.changes, 'Change up to 50 at a time.')
      .optional(),
    /** The whole list of networks from which the database is reached. */
    allowList: allowListBody.optional(),
    /** Restart the server where a change needs it; without it such a change waits for the next restart. */
    restart: z.boolean().default(false),
  })
  .refine(
    ({ plan, parameters, allowList }) =>
      plan !== undefined || allowList !== undefined || Object.keys(parameters ?? {}).length > 0,
    'Name what is to be changed.',
  )

const changePlan = z
  .object({
    changes: z
      .array(z.object({ what: z.string(), from: z.string(), to: z.string(), needsRestart: z.boolean() }))
      .max(200),
    /** The server has to be restarted before all of it holds. */
    needsRestart: z.boolean(),
    /** Sessions that a restart would end. */
    connections: z.number().int().min(0),
    /** Why it cannot be done, with the way out; null where it can. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'DatabaseChangePlan' })
export type DatabaseChangePlan = z.infer<typeof changePlan>

export const databaseChangeEndpoints = {
  'databases.parameters': endpoint({
    method: 'GET',
    path: `${path}/parameters`,
    summary: 'Parameters of the server of a database with their meaning and defaults',
    access: 'databases.query',
    params,
    response: z.object({ parameters: z.array(databaseParameter).max(manageLimits.parameters) }),
    errors,
  }),
  'databases.changes.plan': endpoint({
    method: 'POST',
    path: `${path}/changes/plan`,
    summary: 'What a change of size, parameters or allow-list would do; nothing is changed',
    access: 'databases.manage',
    params,
    body: changes,
    response: changePlan,
    errors,
    withoutIdempotencyKey: 'It changes nothing.',
    outdates: [],
  }),
  'databases.changes.create': endpoint({
    method: 'POST',
    path: `${path}/changes`,
    summary: 'Change size, parameters or allow-list of a database on the machine of Bey, as one run',
    access: 'databases.manage',
    params,
    body: changes,
    response: z.object({
      databaseId: uuid,
      workflowId: uuid,
      runId: uuid,
      status: z.string(),
      message: z.string(),
    }),
    status: 202,
    errors: [...errors, 'limit_reached'],
    operation: { read: 'workflows.run' },
  }),
} as const
