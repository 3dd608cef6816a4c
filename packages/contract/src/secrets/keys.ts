import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { timestamp, uuid } from '../base/schema.ts'

const auditCheck = z.object({
  isIntact: z.boolean(),
  entries: z.number().int().nullable(),
  /** What is wrong with the chain, and where. */
  problem: z.string().nullable(),
})

/** What was found when every value was opened and the audit chain was computed again. */
export const secretVerification = z
  .object({
    /** Versions that hold a value, and how many of them opened. */
    versions: z.number().int(),
    opened: z.number().int(),
    /** The first of those that did not open. */
    failed: z.array(z.object({ secretId: uuid, name: z.string(), version: z.number().int() })).max(100),
    /** The chain as it was before the values were opened, and after. */
    auditBefore: auditCheck,
    audit: auditCheck,
    rootKeyFingerprint: z.string(),
  })
  .meta({ id: 'SecretVerification' })
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
      /** Which root key wraps it: the present one, the one before, or one that this server does not have. */
      dataKeyWrappedBy: z.enum(['present', 'previous', 'unknown']).nullable(),
      /** Versions that hold a value. */
      versions: z.number().int(),
      /** The verification that runs on this server. */
      verifying: z
        .object({ startedAt: timestamp, versions: z.number().int(), checked: z.number().int() })
        .nullable(),
      /** The last one that ended, from the audit trail. */
      lastVerified: z.object({ at: timestamp, by: z.string(), isGood: z.boolean() }).nullable(),
    }),
  }),
  'secrets.verify': endpoint({
    method: 'POST',
    path: '/api/secrets/verify',
    summary: 'Open every value of the organization and check its audit chain; answers no value',
    access: 'secrets.keys',
    withoutIdempotencyKey: 'It only reads.',
    response: secretVerification,
    errors: ['conflict'],
  }),
} as const
