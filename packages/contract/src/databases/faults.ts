import { z } from 'zod'
import { databaseFaultKinds, faultSeconds } from './fault-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp, uuid } from '../base/schema.ts'

export const databaseFaultEndpoints = {
  'databases.break': endpoint({
    method: 'POST',
    path: '/api/databases/{id}/break',
    summary: 'Break a database on the machine of Bey on purpose, for practice; it ends by itself',
    access: 'databases.break',
    params: z.object({ id: uuid }),
    body: z.strictObject({
      kind: z.enum(databaseFaultKinds),
      /** How long a lock is held, a query runs, or the disk quota stays full. */
      seconds: z.number().int().min(faultSeconds.min).max(faultSeconds.max).default(faultSeconds.default),
    }),
    response: z.object({
      /** What was done, as a sentence. */
      text: z.string(),
      /** When it ends at the latest; null for what happens once. */
      endsAt: timestamp.nullable(),
    }),
    errors: ['not_found', 'conflict', 'database_unreachable'],
    withoutIdempotencyKey: 'A fault that is asked for twice is two faults.',
    outdates: [],
  }),
} as const
