import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { actor, timestamp, uuid } from '../base/schema.ts'
import { secretLimits as limits } from './rules.ts'

export const secretShare = z
  .object({
    id: uuid,
    secretId: uuid.nullable(),
    status: z.enum(['waiting', 'opened', 'expired', 'revoked']),
    createdBy: actor,
    createdAt: timestamp,
    expiresAt: timestamp,
    openedAt: timestamp.nullable(),
    /** Where it was opened from. */
    openedIp: z.string().nullable(),
  })
  .meta({ id: 'SecretShare' })
export type SecretShare = z.infer<typeof secretShare>

const params = z.object({ id: uuid })
const base = '/api/secret-shares'

/** Links that give a value to somebody once. The server never sees the key, which is the fragment of the link. */
export const secretShareEndpoints = {
  'secretShares.list': endpoint({
    method: 'GET',
    path: base,
    summary: 'Links that were made, newest first: of a secret, or one’s own',
    access: 'secrets.read',
    query: z.object({
      secretId: uuid.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: z.object({ shares: z.array(secretShare).max(200) }),
    errors: ['not_found'],
  }),
  'secretShares.create': endpoint({
    method: 'POST',
    path: base,
    summary: 'Keep a ciphertext for a link that opens once',
    access: 'secrets.create',
    body: z.strictObject({
      /** Base64 of what the browser encrypted. */
      ciphertext: z
        .string()
        .min(1)
        .max(limits.shareCiphertext)
        .regex(/^[A-Za-z0-9+/_-]+={0,2}$/, 'Send the ciphertext in base64.'),
      expiresInHours: z.number().int().min(1).max(limits.shareHours),
      /** Whose value it is, where it is one that is kept here: needs read access and is recorded there. */
      secretId: uuid.optional(),
    }),
    response: secretShare,
    status: 201,
    errors: ['not_found', 'forbidden', 'limit_reached'],
  }),
  'secretShares.open': endpoint({
    method: 'POST',
    path: `${base}/{id}/open`,
    summary: 'The ciphertext, once; it is wiped as it is answered',
    access: 'public',
    params,
    response: z.object({ ciphertext: z.string() }),
    errors: ['not_found', 'rate_limited'],
  }),
  'secretShares.revoke': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    summary: 'Wipe a ciphertext that nobody has opened yet',
    access: 'secrets.create',
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
} as const
