import { z } from 'zod'
import { isFreeSqlName, manageLimits, roleAccesses, roleKinds, sqlNameRule } from './manage-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp, uuid } from '../base/schema.ts'

const count = z.number().int().min(0)
const params = z.object({ id: uuid })
const path = '/api/databases/{id}/roles'
const newName = z.string().refine(isFreeSqlName, sqlNameRule)
const name = z.string().min(1).max(manageLimits.nameBytes)
const errors = ['not_found', 'conflict', 'database_unreachable'] as const
const elsewhere = 'Its effect is in another database, which keeps no keys.'

const databaseRole = z
  .object({
    name: z.string(),
    kind: z.enum(roleKinds),
    canLogin: z.boolean(),
    canCreateRoles: z.boolean(),
    canCreateDatabases: z.boolean(),
    memberOf: z.array(z.string()).max(manageLimits.roles),
    validUntil: timestamp.nullable(),
    /** Open at this moment, in all databases of the server. */
    connections: count,
    /** Tables of this database, and those of them that the user can read and change, by whatever right. */
    tables: z.object({ total: count, readable: count, writable: count }),
    /** What was granted for tables that the owner makes later. */
    futureAccess: z.enum(roleAccesses),
    /** Why Bey does not change it; null where it does. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'DatabaseRole' })
export type DatabaseRole = z.infer<typeof databaseRole>

export const databaseRoleEndpoints = {
  'databases.roles.list': endpoint({
    method: 'GET',
    path,
    summary: 'Users and groups of the server of a database, with what they can do in it',
    access: 'databases.query',
    params,
    response: z.object({
      roles: z.array(databaseRole).max(manageLimits.roles),
      /** Why no user can be made there, with what is missing; null where one can. */
      refusal: z.string().nullable(),
    }),
    errors,
  }),
  'databases.roles.create': endpoint({
    method: 'POST',
    path,
    summary: 'Make a user in the server of a database; its password is shown once',
    access: 'databases.manage',
    params,
    body: z.strictObject({ name: newName, access: z.enum(roleAccesses).default('read') }),
    response: z.object({
      role: databaseRole,
      /** Shown here alone. */
      password: z.string(),
    }),
    status: 201,
    errors: [...errors, 'name_taken'],
    withoutIdempotencyKey: elsewhere,
    outdates: [path],
  }),
  'databases.roles.grant': endpoint({
    method: 'PUT',
    path: `${path}/access`,
    summary: 'Let a user read or change the tables of a database, those that its owner makes later included',
    access: 'databases.manage',
    params,
    body: z.strictObject({ name, access: z.enum(roleAccesses) }),
    response: databaseRole,
    errors,
    outdates: [path],
  }),
  'databases.roles.drop': endpoint({
    method: 'POST',
    path: `${path}/drop`,
    summary: 'Remove a user from the server of a database; what it owns goes to the owner of the database',
    access: 'databases.manage',
    params,
    body: z.strictObject({ name }),
    response: z.object({ message: z.string() }),
    errors,
    withoutIdempotencyKey: elsewhere,
    outdates: [path],
  }),
} as const
