import { asOwner, type SweepCalls } from '../../testing/sweep.ts'

export const sweepCalls: SweepCalls = {
  'audit.checkpoints': { call: () => ({}), besideRows: ['publicKeys'] },
  'audit.get': {
    async call(world) {
      await asOwner(world, 'POST', '/api/audit/export')
      const { body } = await asOwner(world, 'GET', '/api/audit?action=audit.export&limit=1')
      return { params: { id: body.entries[0].id } }
    },
  },
}
