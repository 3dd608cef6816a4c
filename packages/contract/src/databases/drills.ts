import { z } from 'zod'
import { databaseRestore } from './restores.ts'
import { endpoint } from '../base/endpoint.ts'
import { uuid } from '../base/schema.ts'

export const databaseDrillEndpoints = {
  'databases.drill': endpoint({
    method: 'POST',
    path: '/api/databases/{id}/drill',
    summary:
      'Prove that a database can be restored: a random second of the last day, on a cluster the newest backup, into a server that is removed again, with its checks',
    access: 'databases.restore',
    params: z.object({ id: uuid }),
    response: databaseRestore,
    status: 202,
    errors: ['not_found', 'conflict', 'forbidden', 'cluster_unreachable'],
    operation: { read: 'databases.restores.list', in: 'restores' },
  }),
} as const
