import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { roles } from './permissions.ts'
import { numericId, pageQuery, paged, searchText, timestamp } from './schema.ts'

const member = z.object({
  /** Of the user. */
  id: numericId,
  name: z.string(),
  email: z.string(),
  role: z.enum(roles),
  joinedAt: timestamp,
  /** When a session of theirs was last used; null when none is left. */
  lastSeenAt: timestamp.nullable(),
})

const memberSorts = ['name', 'email', 'role', 'joinedAt', 'lastSeenAt'] as const

export const memberEndpoints = {
  'members.list': endpoint({
    method: 'GET',
    path: '/api/members',
    summary: 'Who belongs to the organization, with which role, and when they were last seen',
    access: 'organization.read',
    query: pageQuery.extend({
      /** Part of the name or the address. */
      search: searchText,
      role: z.enum(roles).optional(),
      sort: z.enum(memberSorts).default('name'),
    }),
    response: paged('members', member),
  }),
} as const
