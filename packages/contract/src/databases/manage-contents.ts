import { z } from 'zod'
import { isFreeSqlName, manageLimits, sqlNameRule } from './manage-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { uuid } from '../base/schema.ts'

const count = z.number().int().min(0)
const params = z.object({ id: uuid })
const errors = ['not_found', 'conflict', 'database_unreachable'] as const
const elsewhere = 'Its effect is in another database, which keeps no keys.'
const name = z.string().min(1).max(manageLimits.nameBytes)
const done = z.object({ message: z.string() })
const inServer = '/api/databases/{id}/server-databases'
const extensions = '/api/databases/{id}/extensions'

const serverDatabase = z
  .object({
    name: z.string(),
    owner: z.string(),
    /** Null where the user of the connection may not connect to it. */
    sizeBytes: z.number().nullable(),
    connections: count,
    /** Why it is not dropped; null where it can be. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'ServerDatabase' })
export type ServerDatabase = z.infer<typeof serverDatabase>

const databaseExtension = z
  .object({
    name: z.string(),
    about: z.string(),
    /** The version that the server brings. */
    version: z.string(),
    /** The version in this database; null where it is not installed. */
    installed: z.string().nullable(),
    schema: z.string().nullable(),
    /** What in this database needs it, the first of them. */
    dependents: z.array(z.string()).max(manageLimits.dependents),
    /** Why it is neither installed nor removed; null where it is. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'DatabaseExtension' })
export type DatabaseExtension = z.infer<typeof databaseExtension>

export const databaseContentEndpoints = {
  'databases.serverDatabases.list': endpoint({
    method: 'GET',
    path: inServer,
    summary: 'Databases in the server of a database',
    access: 'databases.query',
    params,
    response: z.object({
      databases: z.array(serverDatabase).max(manageLimits.databases),
      /** Why none can be made there; null where one can. */
      refusal: z.string().nullable(),
    }),
    errors,
  }),
  'databases.serverDatabases.create': endpoint({
    method: 'POST',
    path: inServer,
    summary: 'Make another database in the server of a database, with the same owner',
    access: 'databases.manage',
    params,
    body: z.strictObject({ name: z.string().refine(isFreeSqlName, sqlNameRule) }),
    response: done,
    status: 201,
    errors: [...errors, 'name_taken'],
    withoutIdempotencyKey: elsewhere,
    outdates: [inServer],
  }),
  'databases.serverDatabases.drop': endpoint({
    method: 'POST',
    path: `${inServer}/drop`,
    summary: 'Drop another database of the server with its data; one with open connections is refused',
    access: 'databases.manage',
    params,
    body: z.strictObject({ name }),
    response: done,
    errors,
    withoutIdempotencyKey: elsewhere,
    outdates: [inServer],
  }),
  'databases.extensions.list': endpoint({
    method: 'GET',
    path: extensions,
    summary: 'Extensions that the server of a database brings, and what needs those that are installed',
    access: 'databases.query',
    params,
    response: z.object({ extensions: z.array(databaseExtension).max(manageLimits.extensions) }),
    errors,
  }),
  'databases.extensions.install': endpoint({
    method: 'POST',
    path: extensions,
    summary: 'Install an extension in a database, or bring it to the version of the server',
    access: 'databases.manage',
    params,
    body: z.strictObject({ name }),
    response: done,
    status: 201,
    errors,
    withoutIdempotencyKey: elsewhere,
    outdates: [extensions],
  }),
  'databases.extensions.drop': endpoint({
    method: 'POST',
    path: `${extensions}/drop`,
    summary: 'Remove an extension that nothing needs; `withDependents` drops what needs it as well',
    access: 'databases.manage',
    params,
    body: z.strictObject({ name, withDependents: z.boolean().default(false) }),
    response: done,
    errors,
    withoutIdempotencyKey: elsewhere,
    outdates: [extensions],
  }),
} as const
