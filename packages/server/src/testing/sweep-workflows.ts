import type { EndpointName } from '@bey/contract'
import type { SweepCall, SweepRow, World } from './sweep-calls.ts'
import type { SweepParts } from './sweep-secrets.ts'

/** How to call the endpoints of workflows of one's own successfully. */
export function workflowSweepCalls({ asOwner, newName }: SweepParts) {
  /** A definition that nothing is wrong with, under a name that nobody has. */
  const newDefinition = () => ({
    name: newName(),
    steps: [
      { key: 'compute', name: 'Compute', type: 'transform', config: { values: { two: '{{ 1 + 1 }}' } } },
    ],
  })

  async function workflowOf(world: World): Promise<SweepCall & { params: { id: string } }> {
    const made = await asOwner(world, 'POST', '/api/v1/workflows', newDefinition())
    return { params: { id: made.body.workflow.id } }
  }

  return {
    'workflows.create': { call: () => ({ body: newDefinition() }) },
    'workflows.update': {
      call: async (world) => ({ ...(await workflowOf(world)), body: newDefinition() }),
    },
    'workflows.delete': { call: workflowOf },
    'workflows.setState': {
      call: async (world) => ({ ...(await workflowOf(world)), body: { state: 'paused' } }),
    },
    'workflows.versions': { call: workflowOf },
    'workflows.version': {
      async call(world) {
        const { params } = await workflowOf(world)
        return { params: { ...params, version: 'latest' } }
      },
    },
    'workflows.validate': { call: () => ({ body: { definition: newDefinition() } }) },
  } satisfies { [N in EndpointName]?: SweepRow }
}
