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

  /** A run that ended with a failed step, of a workflow that can be started. */
  async function failedRunOf(world: World): Promise<SweepCall & { params: { id: string; runId: string } }> {
    const { params } = await workflowOf(world)
    const { given } = world.app
    const { organizationId } = world
    const ended = { status: 'failed' as const, finishedAt: new Date() }
    const run = await given.run({ organizationId, workflowId: params.id, workflowVersion: 1, ...ended })
    await given.step({ organizationId, runId: run.id, key: 'compute', ...ended })
    return { params: { ...params, runId: run.id } }
  }

  async function runIn(world: World, values: Record<string, unknown>) {
    const run = await world.app.given.run({
      organizationId: world.organizationId,
      startedAt: new Date(),
      ...values,
    })
    return { params: { id: run.workflowId, runId: run.id } }
  }

  return {
    'workflows.execute': { call: workflowOf },
    'workflows.startRun': { call: workflowOf },
    'workflows.retry': { call: failedRunOf },
    'workflows.pause': { call: (world) => runIn(world, { status: 'running' }) },
    'workflows.resume': { call: (world) => runIn(world, { status: 'paused' }) },
    'workflows.forceCancel': {
      call: (world) =>
        runIn(world, { status: 'cancelling', cancelRequestedAt: new Date(Date.now() - 60_000) }),
      besideRows: ['leftBehind'],
    },
    'workflows.settleStep': {
      async call(world) {
        const { params } = await runIn(world, { status: 'needs_attention' })
        const { organizationId } = world
        const step = await world.app.given.step({ organizationId, runId: params.runId, status: 'uncertain' })
        return {
          params: { ...params, stepKey: step.key },
          body: { decision: 'fail', reason: 'It did not arrive.' },
        }
      },
    },
    'workflows.decide': {
      role: 'ADMIN',
      async call({ app, organizationId }) {
        const { id } = await app.given.approval({ organizationId })
        return { params: { approvalId: id }, body: { decision: 'approve' } }
      },
    },
    'workflows.bulk': {
      async call(world) {
        const { params } = await failedRunOf(world)
        return { body: { action: 'retry', filter: { run_ids: [params.runId] } } }
      },
    },
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
