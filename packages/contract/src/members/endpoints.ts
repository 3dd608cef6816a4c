import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { roles } from '../base/permissions.ts'
import {
  actor,
  idParams,
  numericId,
  numericIdText,
  pageQuery,
  paged,
  searchText,
  timestamp,
} from '../base/schema.ts'

/** How a member came to the organization. */
const origin = z.discriminatedUnion('type', [
  z.object({ type: z.literal('founder') }),
  z.object({ type: z.literal('invitation'), by: actor }),
  /** The sign-in provider that brought them, such as GitHub. */
  z.object({ type: z.literal('provider'), provider: z.string() }),
])

const secondFactors = ['none', 'code', 'passkey'] as const

export const member = z
  .object({
    /** Of the user. */
    id: numericId,
    name: z.string(),
    email: z.string(),
    role: z.enum(roles),
    joinedAt: timestamp,
    /** When a session of theirs was last used; null when none is left. */
    lastSeenAt: timestamp.nullable(),
    origin,
    /** How the member proves who they are besides the password. */
    secondFactor: z.enum(secondFactors),
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof member>

const memberSorts = ['name', 'email', 'role', 'joinedAt', 'lastSeenAt'] as const

const belongingChoices = ['keep', 'transfer', 'end'] as const

const belongings = z.object({
  /** Names them in the request that removes the person. */
  kind: z.string(),
  /** What they are, for people: "Kubeconfig tokens". */
  label: z.string(),
  /** What becomes of them with the first choice, as a sentence. */
  hint: z.string(),
  total: z.number().int(),
  /** The first 20. */
  items: z.array(z.object({ id: z.string(), name: z.string(), detail: z.string() })).max(20),
  /** What can become of them; the first one is the default. */
  choices: z.array(z.enum(belongingChoices)).min(1).max(3),
})
/** What a person has in an organization and somebody must decide about when they leave. */
export type Belongings = z.infer<typeof belongings>
export type BelongingChoice = (typeof belongingChoices)[number]

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
      /** Who has this kind of second factor. */
      secondFactor: z.enum(secondFactors).optional(),
      /** One member alone. */
      id: numericIdText.optional(),
      sort: z.enum(memberSorts).default('name'),
    }),
    response: paged('members', member).extend({
      /** Of the whole organization: the last owner cannot be demoted, removed, or leave. */
      ownerCount: z.number().int(),
    }),
  }),
  'members.setRole': endpoint({
    method: 'PATCH',
    path: '/api/members/{id}',
    summary: 'Give a member another role; what they have open is checked again within a second',
    access: 'members.update',
    params: idParams,
    body: z.strictObject({ role: z.enum(roles) }),
    response: z.object({ member }),
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  'members.belongings': endpoint({
    method: 'GET',
    path: '/api/members/{id}/belongings',
    summary: 'What a member has that somebody must decide about when they leave',
    access: 'members.remove',
    params: idParams,
    response: z.object({ belongings: z.array(belongings).max(20) }),
    errors: ['not_found'],
  }),
  'members.remove': endpoint({
    method: 'POST',
    path: '/api/members/{id}/remove',
    summary: 'Remove a member, and keep, transfer or end what they have; their access ends within a second',
    access: 'members.remove',
    params: idParams,
    body: z.strictObject({
      /** By kind of belonging; the first choice where none is given. */
      choices: z.record(z.string().max(64), z.enum(belongingChoices)).default({}),
      /** The member who receives what is transferred. */
      transferTo: numericId.optional(),
    }),
    response: z.object({
      /** How many of each kind there were, and what became of them. */
      settled: z
        .array(
          z.object({
            kind: z.string(),
            label: z.string(),
            choice: z.enum(belongingChoices),
            count: z.number().int(),
          }),
        )
        .max(20),
    }),
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
} as const
