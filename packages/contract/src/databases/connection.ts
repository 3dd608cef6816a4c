import { z } from 'zod'
import { databaseEngines, engineOfUri } from './engines.ts'
import { databaseLimits } from './rules.ts'

/** How an existing server is reached. The password leaves the server only as a secret. */
export const databaseConnection = z.strictObject({
  /**
   * As libpq reads it: `postgresql://user:password@host:port/database?sslmode=verify-full`; or one that begins with
   * `mysql://`, `mariadb://`, `redis://`, `rediss://`, `valkey://` or `valkeys://`.
   */
  uri: z
    .string()
    .trim()
    .min(1, 'Enter a connection string.')
    .max(databaseLimits.connection)
    .refine((uri) => engineOfUri(uri) !== undefined, 'Begin with postgresql://, mysql:// or redis://.'),
  /** Certificates in PEM of the authority that signs the certificate of the server. */
  caPem: z
    .string()
    .max(databaseLimits.caPem)
    .refine(
      (text) => text.trim() === '' || text.includes('-----BEGIN CERTIFICATE-----'),
      'Paste certificates in PEM: they begin with -----BEGIN CERTIFICATE-----.',
    )
    .optional(),
})
export type DatabaseConnection = z.infer<typeof databaseConnection>

/** What a trial of a connection found. */
export const databaseTest = z
  .object({
    isReachable: z.boolean(),
    /** What answered, or what the connection string names where nothing did. */
    engine: z.enum(databaseEngines),
    /** What is wrong and what helps; null where it is reachable. */
    problem: z.string().nullable(),
    version: z.string().nullable(),
    sizeBytes: z.number().nullable(),
    maxConnections: z.number().int().nullable(),
    durationMs: z.number(),
    /** Whether the connection is encrypted; null where there was none. */
    isEncrypted: z.boolean().nullable(),
    /** What Bey may not do there or found to be special. */
    notes: z.array(z.string()).max(20),
  })
  .meta({ id: 'DatabaseTest' })
export type DatabaseTest = z.infer<typeof databaseTest>
