import { z } from 'zod'
import { user } from './endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { roles } from '../base/permissions.ts'
import { numericId, pageQuery, paged, searchText } from '../base/schema.ts'

/** A user that a tester can log in as, with the organization that would be active. */
export const godmodeUser = z
  .object({
    id: numericId,
    name: z.string(),
    email: z.string(),
    /** Empty for who belongs to none; then there is no role either. */
    organizationName: z.string(),
    role: z.enum(roles).nullable(),
  })
  .meta({ id: 'GodmodeUser' })
export type GodmodeUser = z.infer<typeof godmodeUser>

/** Impersonation for development: refused unless the server reports it enabled and the caller sits at its machine. */
export const godmodeEndpoints = {
  'godmode.users': endpoint({
    method: 'GET',
    path: '/api/godmode/users',
    summary: 'Whom a tester can log in as',
    access: 'public',
    query: pageQuery.omit({ order: true }).extend({ search: searchText }),
    response: paged('users', godmodeUser),
    errors: ['godmode_disabled'],
  }),
  'godmode.impersonate': endpoint({
    method: 'POST',
    path: '/api/godmode/impersonate',
    summary: 'Begin a session as another user; a session sent along is noted as the impersonator’s',
    access: 'public',
    withoutIdempotencyKey: 'It answers a token, which is kept nowhere.',
    mayHaveSession: true,
    body: z.strictObject({ userId: numericId }),
    response: z.object({ token: z.string(), user }),
    errors: ['godmode_disabled', 'not_found'],
  }),
} as const
