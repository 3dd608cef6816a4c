import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { timestamp, uuid } from './schema.ts'

/** What was found when every value was opened and the audit chain was computed again. */
export const secretVerification = z.object({
  /** Versions that hold a value, and how many of them opened. */
  versions: z.number().int(),
  opened: z.number().int(),
  /** The first of those that did not open. */
  failed: z.array(z.object({ secretId: uuid, name: z.string(), version: z.number().int() })).max(100),
  audit: z.object({
    isIntact: z.boolean(),
    entries: z.number().int().nullable(),
    /** What is wrong with the chain, and where. */
    problem: z.string().nullable(),
  }),
  rootKeyFingerprint: z.string(),
})
export type SecretVerification = z.infer<typeof secretVerification>

export const secretKeyEndpoints = {
  'secrets.keys': endpoint({
    method: 'GET',
    path: '/api/secrets/keys',
    summary: 'Which root key wraps the data key of the organization, by fingerprint',
    access: 'secrets.keys',
    response: z.object({
      rootKeyFingerprint: z.string(),
      /** Of the key that is still accepted; null unless BEY_SECRET_KEY_PREVIOUS is set. */
      previousFingerprint: z.string().nullable(),
      /** When the data key of the organization was made; null before its first value. */
      dataKeyCreatedAt: timestamp.nullable(),
    }),
  }),
  'secrets.verify': endpoint({
    method: 'POST',
    path: '/api/secrets/verify',
    summary: 'Open every value of the organization and check its audit chain; answers no value',
    access: 'secrets.keys',
    response: secretVerification,
    errors: ['conflict'],
  }),
} as const
