import { createHmac } from 'node:crypto'
import type { EndpointName } from '@bey/contract'
import {
  asOwner,
  newName,
  type SweepCall,
  type SweepCalls,
  type SweepRow,
  type World,
} from '../../testing/sweep.ts'

const schedule = { type: 'schedule', cron: '30 2 * * *' }

/** A definition that nothing is wrong with, under a name that nobody has. */
const newDefinition = () => ({
  name: newName(),
  steps: [{ key: 'compute', name: 'Compute', type: 'transform', config: { values: { two: '{{ 1 + 1 }}' } } }],
})

async function workflowOf(world: World): Promise<SweepCall & { params: { id: string } }> {
  const made = await asOwner(world, 'POST', '/api/v1/workflows', newDefinition())
  return { params: { id: made.body.workflow.id } }
}

async function deletedWorkflowOf(world: World) {
  const call = await workflowOf(world)
  await asOwner(world, 'DELETE', `/api/v1/workflows/${call.params.id}`)
  return call
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

/** A schedule, or another trigger, of a workflow of one's own. */
async function triggerOf(
  world: World,
  settings: object = schedule,
): Promise<SweepCall & { params: { id: string; triggerId: string } }> {
  const { params } = await workflowOf(world)
  const body = { name: 'Every night', settings }
  const made = await asOwner(world, 'POST', `/api/v1/workflows/${params.id}/triggers`, body)
  return { params: { ...params, triggerId: made.body.trigger.id } }
}

async function runOf({ app, organizationId }: World): Promise<SweepCall> {
  const run = await app.given.run({ organizationId, status: 'running', startedAt: new Date() })
  return { params: { id: run.workflowId, runId: run.id } }
}

export const sweepCalls: SweepCalls = {
  'workflows.get': {
    async call({ app, organizationId }) {
      return { params: { id: (await app.given.workflow({ organizationId })).id } }
    },
  },
  'workflows.runs': {
    async call({ app, organizationId }) {
      return { params: { id: (await app.given.workflow({ organizationId })).id } }
    },
  },
  'workflows.run': { call: runOf, besideRows: ['children', 'retries', 'attempts'] },
  'workflows.step': {
    async call({ app, organizationId }) {
      const run = await app.given.run({ organizationId })
      const step = await app.given.step({ organizationId, runId: run.id })
      return { params: { id: run.workflowId, runId: run.id, stepKey: step.key } }
    },
    besideRows: ['attempts'],
  },
  'workflows.approval': {
    async call({ app, organizationId }) {
      return { params: { approvalId: (await app.given.approval({ organizationId })).id } }
    },
  },
  'workflows.statistics': {
    async call({ app, organizationId }) {
      return { params: { id: (await app.given.workflow({ organizationId })).id } }
    },
    besideRows: ['days', 'steps'],
  },
  'workflows.runLogs': { call: runOf },
  'workflows.downloadLogs': { call: runOf },
  'workflows.cancel': { call: runOf },
  'workflows.execute': { call: async (world) => ({ ...(await workflowOf(world)), body: {} }) },
  'workflows.startRun': { call: async (world) => ({ ...(await workflowOf(world)), body: {} }) },
  'workflows.retry': { call: async (world) => ({ ...(await failedRunOf(world)), body: {} }) },
  'workflows.pause': { call: (world) => runIn(world, { status: 'running' }) },
  'workflows.resume': { call: (world) => runIn(world, { status: 'paused' }) },
  'workflows.forceCancel': {
    call: (world) => runIn(world, { status: 'cancelling', cancelRequestedAt: new Date(Date.now() - 60_000) }),
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
  'workflows.remind': {
    async call(world) {
      const { app, organizationId } = world
      await app.given.user({ organizationId, role: 'ADMIN' })
      const { id } = await app.given.approval({ organizationId })
      return { params: { approvalId: id } }
    },
  },
  'workflows.bulk': {
    async call(world) {
      const { params } = await failedRunOf(world)
      return { body: { action: 'retry', filter: { run_ids: [params.runId] } } }
    },
  },
  'workflows.triggers': { call: workflowOf },
  'workflows.createTrigger': {
    call: async (world) => ({ ...(await workflowOf(world)), body: { name: 'Night', settings: schedule } }),
  },
  'workflows.updateTrigger': {
    call: async (world) => ({ ...(await triggerOf(world)), body: { name: 'Later', settings: schedule } }),
  },
  'workflows.deleteTrigger': { call: (world) => triggerOf(world) },
  'workflows.rotateTriggerSecret': { call: (world) => triggerOf(world, { type: 'webhook' }) },
  'workflows.triggerArrivals': { call: (world) => triggerOf(world) },
  'workflows.hook': {
    async call(world) {
      const { params } = await workflowOf(world)
      const body = { name: 'Push', settings: { type: 'webhook' } }
      const made = await asOwner(world, 'POST', `/api/v1/workflows/${params.id}/triggers`, body)
      const signature = createHmac('sha256', made.body.secret).update('{}').digest('hex')
      return {
        params: { triggerId: made.body.trigger.id },
        body: {},
        headers: { 'x-hub-signature-256': `sha256=${signature}` },
      }
    },
  },
  'workflows.previewSchedule': { call: () => ({ query: 'cron=30%202%20*%20*%20*' }) },
  'workflows.create': { call: () => ({ body: newDefinition() }) },
  'workflows.update': {
    call: async (world) => ({ ...(await workflowOf(world)), body: newDefinition() }),
  },
  'workflows.delete': { call: workflowOf },
  'workflows.restore': { call: deletedWorkflowOf },
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
  'workflows.testStep': {
    call: () => ({ body: { step: newDefinition().steps[0] } }),
    besideRows: ['logs'],
  },
  'workflows.evaluate': { call: () => ({ body: { source: '1 + 1', kind: 'expression' } }) },
  'workflows.validate': { call: () => ({ body: { definition: newDefinition() } }) },
} satisfies { [N in EndpointName]?: SweepRow }
