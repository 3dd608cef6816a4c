import type { DatabaseStatus } from '@bey/contract'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { databases } from '../../tables/databases.ts'
import { newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

/** A database without a server: what an operation does there is seen by its run, which comes later. */
async function databaseIn(
  { app, organizationId }: World,
  provider: 'embedded' | 'external',
  status: DatabaseStatus,
): Promise<SweepCall> {
  const id = uuidv7()
  await app.database.withTenant(organizationId, (db) =>
    db.insert(databases).values({
      id,
      organizationId,
      name: newName(),
      provider,
      status,
      plan: provider === 'embedded' ? 'small' : null,
      databaseName: 'app',
      username: 'app',
      tls: 'disable',
      // Nobody looks at it while the sweep goes on.
      checkAt: new Date(Date.now() + 3_600_000),
    }),
  )
  return { params: { id } }
}

const embedded = (status: DatabaseStatus) => ({
  call: (world: World) => databaseIn(world, 'embedded', status),
})
const connection = { uri: 'postgresql://app@127.0.0.1:1/app?sslmode=disable' }

export const sweepCalls: SweepCalls = {
  'databases.get': embedded('available'),
  'databases.references': embedded('available'),
  'databases.create': { call: () => ({ body: { provider: 'external', name: newName(), connection } }) },
  'databases.test': { call: () => ({ body: { connection } }) },
  'databases.update': {
    call: async (world) => ({
      ...(await databaseIn(world, 'embedded', 'available')),
      body: { description: 'Changed' },
    }),
  },
  'databases.reconnect': {
    call: async (world) => ({
      ...(await databaseIn(world, 'external', 'unreachable')),
      body: { connection },
    }),
  },
  'databases.provision': embedded('error'),
  'databases.restart': embedded('available'),
  'databases.hibernate': embedded('available'),
  'databases.resume': embedded('hibernated'),
  'databases.delete': embedded('hibernated'),
}
