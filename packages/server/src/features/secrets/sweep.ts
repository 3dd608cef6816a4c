import type { EndpointName } from '@bey/contract'
import {
  asOwner,
  newName,
  type SweepCall,
  type SweepCalls,
  type SweepRow,
  type World,
} from '../../testing/sweep.ts'

/** A secret of the organization, with as many versions as asked. */
async function secretOf(world: World, versions = 1): Promise<SweepCall & { params: { id: string } }> {
  const made = await asOwner(world, 'POST', '/api/secrets', { name: newName(), value: 'first' })
  const { id } = made.body
  for (let version = 2; version <= versions; version += 1)
    await asOwner(world, 'PUT', `/api/secrets/${id}`, { value: `value ${version}` })
  return { params: { id } }
}

/** A link that waits to be opened. */
async function shareOf(world: World): Promise<SweepCall> {
  const body = { ciphertext: 'c2VhbGVk', expiresInHours: 1 }
  const made = await asOwner(world, 'POST', '/api/secret-shares', body)
  return { params: { id: made.body.id } }
}

/** A copy of a secret in a cluster whose address nobody knows. */
async function syncOf(world: World): Promise<SweepCall> {
  const { params } = await secretOf(world)
  const cluster = await world.app.given.cluster({ organizationId: world.organizationId, status: 'ERROR' })
  const body = { clusterId: cluster.id, namespace: 'default', name: 'sweep' }
  const made = await asOwner(world, 'POST', `/api/secrets/${params.id}/syncs`, body)
  return { params: { ...params, syncId: made.body.id } }
}

async function oldVersionOf(world: World): Promise<SweepCall> {
  const { params } = await secretOf(world, 2)
  return { params: { ...params, version: 1 } }
}

export const sweepCalls: SweepCalls = {
  'secrets.get': { call: (world) => secretOf(world) },
  'secrets.create': { call: () => ({ body: { name: newName(), value: 'kept' } }) },
  'secrets.update': {
    call: async (world) => ({ ...(await secretOf(world)), body: { description: 'Of the sweep' } }),
  },
  'secrets.delete': { call: (world) => secretOf(world) },
  'secrets.restore': {
    async call(world) {
      const { params } = await secretOf(world)
      await asOwner(world, 'DELETE', `/api/secrets/${params.id}`)
      return { params }
    },
  },
  'secrets.reveal': {
    // A member needs a grant besides.
    role: 'ADMIN',
    call: async (world) => ({ ...(await secretOf(world)), body: { reason: 'The sweep' } }),
  },
  'secrets.import': { call: () => ({ body: { format: 'env', text: `${newName()}=imported` } }) },
  'secrets.export': {
    role: 'ADMIN',
    async call(world) {
      const { params } = await secretOf(world)
      return { body: { ids: [params.id], format: 'env', reason: 'The sweep' } }
    },
  },
  'secrets.rotate': {
    call: async (world) => ({ ...(await secretOf(world)), body: { reason: 'The sweep' } }),
  },
  'secretShares.create': { call: () => ({ body: { ciphertext: 'c2VhbGVk', expiresInHours: 1 } }) },
  'secretShares.open': { call: (world) => shareOf(world) },
  'secretShares.revoke': {
    // Of somebody else, and of no secret that the caller manages.
    role: 'ADMIN',
    call: (world) => shareOf(world),
  },
  'secretSyncs.list': { call: (world) => secretOf(world) },
  'secretSyncs.create': {
    // A member needs a grant besides, as below.
    role: 'ADMIN',
    async call(world) {
      const cluster = await world.app.given.cluster({
        organizationId: world.organizationId,
        status: 'ERROR',
      })
      const body = { clusterId: cluster.id, namespace: 'default', name: 'sweep' }
      return { ...(await secretOf(world)), body }
    },
  },
  'secretSyncs.update': {
    role: 'ADMIN',
    call: async (world) => ({ ...(await syncOf(world)), body: { correctsDrift: true } }),
  },
  'secretSyncs.resolve': {
    role: 'ADMIN',
    call: async (world) => ({ ...(await syncOf(world)), body: { how: 'retry' } }),
  },
  'secretSyncs.remove': {
    role: 'ADMIN',
    call: async (world) => ({ ...(await syncOf(world)), query: 'secret=leave' }),
  },
  'secrets.versions': { call: (world) => secretOf(world) },
  'secrets.rollback': {
    call: async (world) => ({ ...(await oldVersionOf(world)), body: { reason: 'The sweep' } }),
  },
  'secrets.deleteVersion': { call: oldVersionOf },
  'secrets.undeleteVersion': {
    async call(world) {
      const { params } = await oldVersionOf(world)
      await asOwner(world, 'DELETE', `/api/secrets/${params?.['id']}/versions/1`)
      return { params }
    },
  },
  'secrets.destroyVersion': {
    role: 'ADMIN',
    call: async (world) => ({ ...(await oldVersionOf(world)), body: { reason: 'The sweep' } }),
  },
  'secrets.grants': { call: (world) => secretOf(world) },
  'secrets.setGrants': {
    role: 'ADMIN',
    call: async (world) => ({
      ...(await secretOf(world)),
      body: { grants: [{ subjectType: 'role', subjectId: 'MEMBER', access: 'read' }] },
    }),
  },
  'secrets.usage': { call: (world) => secretOf(world) },
  'secrets.rotateAndRestart': {
    call: async (world) => ({ ...(await secretOf(world)), body: { reason: 'The sweep' } }),
  },
  'secrets.activity': { role: 'ADMIN', call: (world) => secretOf(world) },
  'secrets.inspect': { call: () => ({ body: { type: 'password', value: 'looked at' } }) },
} satisfies { [N in EndpointName]?: SweepRow }
