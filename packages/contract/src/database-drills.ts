import { z } from 'zod'
import { databaseRestore } from './database-restores.ts'
import { endpoint } from './endpoint.ts'
import { uuid } from './schema.ts'

export const databaseDrillEndpoints = {
  'databases.drill': endpoint({
    method: 'POST',
    path: '/api/databases/{id}/drill',
    summary:
      'Prove that a database can be restored: a random second of the last day into a server that is removed again, with its checks',
    access: 'databases.restore',
    params: z.object({ id: uuid }),
    response: databaseRestore,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'databases.restores.list', in: 'restores' },
  }),
} as const
