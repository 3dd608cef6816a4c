import { z } from 'zod'
import { allPermissions, apiKeyBounds as bounds, limitableTypes } from './rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { roles } from '../base/permissions.ts'
import { actor, nameText, numericId, pageQuery, paged, searchText, timestamp, uuid } from '../base/schema.ts'

const permission = z.enum(allPermissions)

const keyResource = z.object({ type: z.enum(limitableTypes), id: z.string().min(1).max(36) })

const apiKey = z
  .object({
    id: uuid,
    name: z.string(),
    /** The beginning of its present secret, by which people recognize it. */
    start: z.string(),
    /** Whose personal key it is; null of a key of the organization. */
    owner: z.object({ id: numericId, name: z.string(), email: z.string() }).nullable(),
    madeBy: actor,
    /** The role that bounds it: the owner's at this moment, or the one that an organization's key was made with. */
    role: z.enum(roles),
    permissions: z.array(permission).max(200),
    /** Those of them that the role does not hold any more. */
    lostPermissions: z.array(permission).max(200),
    /** What it is limited to; empty: the whole organization. `name` is null where the thing is gone. */
    resources: z.array(keyResource.extend({ name: z.string().nullable() })).max(bounds.maxResources),
    /** Networks in CIDR notation from which it may be used; empty: from everywhere. */
    allowedAddresses: z.array(z.string()).max(bounds.maxAddresses),
    /** Null: as many as a person may send. */
    requestsPerMinute: z.number().int().nullable(),
    status: z.enum(['active', 'rotating', 'expired', 'revoked']),
    createdAt: timestamp,
    /** Null: it does not expire. */
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
    /** Until when the secret before the present one works too. */
    previousValidUntil: timestamp.nullable(),
    lastUsedAt: timestamp.nullable(),
    lastUsedIp: z.string().nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof apiKey>

const withToken = z.object({
  key: apiKey,
  /** Shown once: it is not kept. */
  token: z.string(),
})

const name = nameText('Enter a name for the key.')
const allowedAddresses = z.array(z.string().trim().min(1).max(64)).max(bounds.maxAddresses)
const requestsPerMinute = z.number().int().min(1).max(bounds.maxRequestsPerMinute).nullable()

const newKey = z.strictObject({
  name,
  /** A key of the organization outlives the membership of its maker, and keeps the maker's role of today. */
  isPersonal: z.boolean(),
  permissions: z.array(permission).min(1, 'Choose at least one permission.').max(200),
  resources: z.array(z.strictObject(keyResource.shape)).max(bounds.maxResources).default([]),
  allowedAddresses: allowedAddresses.default([]),
  requestsPerMinute: requestsPerMinute.default(null),
  /** Null: never. */
  expiresInDays: z.number().int().min(1).max(bounds.maxDays).nullable().default(bounds.defaultDays),
})

const params = z.object({ id: uuid })
const base = '/api/api-keys'

export const apiKeyEndpoints = {
  'apiKeys.list': endpoint({
    method: 'GET',
    path: base,
    summary: 'API keys: one’s own, and with apiKeys.manage all of the organization',
    access: 'apiKeys.read',
    query: pageQuery.extend({
      /** Part of the name, or the beginning of the secret. */
      search: searchText,
      owner: z.enum(['me', 'others', 'organization']).optional(),
      state: z.enum(['live', 'ended']).optional(),
      sort: z.enum(['name', 'createdAt', 'expiresAt', 'lastUsedAt']).default('createdAt'),
    }),
    response: paged('keys', apiKey),
  }),
  'apiKeys.get': endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    summary: 'One API key',
    access: 'apiKeys.read',
    params,
    response: apiKey,
    errors: ['not_found'],
  }),
  'apiKeys.create': endpoint({
    method: 'POST',
    path: base,
    summary:
      'Create an API key; its secret is answered once and not kept. Permissions of admins ask for a recent confirmation',
    access: 'apiKeys.create',
    answersSecret: true,
    body: newKey,
    response: withToken,
    status: 201,
    keys: 'none',
    errors: ['forbidden', 'step_up_required', 'not_found', 'name_taken', 'limit_reached'],
  }),
  'apiKeys.update': endpoint({
    method: 'PATCH',
    path: `${base}/{id}`,
    summary: 'Change the name, the allowed addresses or the rate limit of an API key',
    access: 'apiKeys.create',
    params,
    body: z.strictObject({
      name: name.optional(),
      allowedAddresses: allowedAddresses.optional(),
      requestsPerMinute: requestsPerMinute.optional(),
    }),
    replyOf: 'apiKeys.get',
    response: apiKey,
    keys: 'none',
    errors: ['not_found', 'name_taken', 'conflict'],
  }),
  'apiKeys.rotate': endpoint({
    method: 'POST',
    path: `${base}/{id}/rotate`,
    summary: 'Give an API key a new secret; the old one works for up to 24 hours more',
    access: 'apiKeys.create',
    answersSecret: true,
    params,
    body: z.strictObject({
      overlapHours: z.number().min(0).max(bounds.maxOverlapHours).default(bounds.maxOverlapHours),
    }),
    response: withToken,
    keys: 'none',
    errors: ['not_found', 'conflict', 'forbidden', 'step_up_required'],
  }),
  'apiKeys.revoke': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    summary: 'End an API key, and within a second everything that is open by it',
    access: 'apiKeys.create',
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found', 'conflict'],
  }),
  'apiKeys.test': endpoint({
    method: 'POST',
    path: `${base}/test`,
    summary: 'Whether the secret of an API key of this organization works, and if not, why',
    access: 'apiKeys.read',
    withoutIdempotencyKey: 'It only reads.',
    body: z.strictObject({ token: z.string().trim().min(1).max(512) }),
    outdates: [],
    response: z.object({
      verdict: z.enum(['works', 'misspelt', 'unknown', 'expired', 'revoked', 'replaced', 'address']),
      /** The verdict as a sentence, with the way out. */
      sentence: z.string(),
      /** Where the request came from, as this server sees it. */
      address: z.string(),
      key: apiKey.nullable(),
    }),
  }),
  'credential.get': endpoint({
    method: 'GET',
    path: '/api/credential',
    summary: 'Who this request acts for, and what it may do: for a session or an API key',
    access: 'organization.read',
    response: z.object({
      kind: z.enum(['session', 'api_key']),
      user: z.object({ id: numericId, name: z.string(), email: z.string() }),
      organization: z.object({ id: numericId, name: z.string() }),
      role: z.enum(roles),
      permissions: z.array(permission).max(200),
      key: z
        .object({
          id: uuid,
          name: z.string(),
          isPersonal: z.boolean(),
          resources: z.array(keyResource).max(bounds.maxResources),
          expiresAt: timestamp.nullable(),
        })
        .nullable(),
      address: z.string(),
    }),
    isForEveryKey: true,
  }),
} as const
