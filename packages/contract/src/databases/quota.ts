import { z } from 'zod'
import { diskQuotaLimits } from './quota-rules.ts'
import { database } from './endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { uuid } from '../base/schema.ts'

const params = z.object({ id: uuid })
const path = '/api/databases/{id}'
const errors = ['not_found', 'conflict', 'database_unreachable'] as const
const { minBytes, maxBytes, minutes } = diskQuotaLimits

export const databaseQuotaEndpoints = {
  'databases.setDiskQuota': endpoint({
    method: 'PUT',
    path: `${path}/disk-quota`,
    summary: 'Set how much the databases of a server of Bey may take on disk before it refuses to write',
    access: 'databases.manage',
    params,
    body: z.strictObject({
      /** Null: what follows from its size. */
      limitBytes: z.number().int().min(minBytes).max(maxBytes).nullable(),
    }),
    response: database,
    errors: [...errors, 'limit_reached'],
  }),
  'databases.allowWrites': endpoint({
    method: 'POST',
    path: `${path}/allow-writes`,
    summary:
      'Let a database whose disk quota is full be written for some minutes, so that rows can be deleted',
    access: 'databases.manage',
    params,
    body: z.strictObject({
      minutes: z.number().int().min(minutes.min).max(minutes.max).default(minutes.default),
    }),
    response: database,
    errors,
    withoutIdempotencyKey: 'Asked for twice, it is allowed from the second time on.',
  }),
  'databases.endFault': endpoint({
    method: 'DELETE',
    path: `${path}/break`,
    summary: 'End what fills the disk quota of a database on purpose',
    access: 'databases.break',
    params,
    response: database,
    errors,
  }),
} as const
