import { newName, type SweepCalls } from '../../testing/sweep.ts'

export const sweepCalls: SweepCalls = {
  'organizations.create': { call: () => ({ body: { name: newName() } }) },
  'organizations.activate': { call: (_world, user) => ({ params: { id: user.organizationId } }) },
}
