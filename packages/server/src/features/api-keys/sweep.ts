import type { GivenUser } from '../../testing/given.ts'
import { newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

async function apiKeyOf({ app }: World, user: GivenUser): Promise<SweepCall> {
  return { params: { id: (await app.given.apiKey(user)).id } }
}

export const sweepCalls: SweepCalls = {
  'apiKeys.get': { call: apiKeyOf },
  'apiKeys.create': {
    call: () => ({ body: { name: newName(), isPersonal: true, permissions: ['clusters.read'] } }),
  },
  'apiKeys.update': {
    call: async (world, user) => ({ ...(await apiKeyOf(world, user)), body: { name: newName() } }),
  },
  'apiKeys.rotate': { call: async (world, user) => ({ ...(await apiKeyOf(world, user)), body: {} }) },
  'apiKeys.revoke': { call: apiKeyOf },
  'apiKeys.test': {
    call: async ({ app }, user) => ({ body: { token: (await app.given.apiKey(user)).token } }),
  },
}
