import { newName, type SweepCalls } from '../../testing/sweep.ts'

export const sweepCalls: SweepCalls = {
  'resources.list': { besideRows: ['kinds', 'health', 'marks', 'clusters', 'gaps'], call: () => ({}) },
  'resources.complete': { call: () => ({ query: 'query=kind:&position=5' }) },
  'resources.tag': {
    call: ({ runningClusterId }) => ({ body: { ids: [`cluster:${runningClusterId}`], add: [newName()] } }),
  },
  'resources.createView': { call: () => ({ body: { name: newName(), query: 'kind:pod' } }) },
  'resources.deleteView': {
    async call({ app, organizationId }, { token }) {
      const body = { name: newName(), query: 'kind:pod' }
      const made = await app.ask('POST', '/api/resources/views', { token, organizationId, body })
      return { params: { id: made.body.id } }
    },
  },
  'resources.get': { call: ({ runningClusterId }) => ({ params: { id: `cluster:${runningClusterId}` } }) },
}
