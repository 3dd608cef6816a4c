import type { Workflow } from '@bey/contract'
import { z } from 'zod'
import { AppError } from '../../../platform/errors.ts'
import { actTool, type Plan } from '../tool.ts'
import { findRun, runField } from './runs.ts'

/** Steps that can destroy something, or whose effect is not known here: a person is asked before they run. */
const mayDestroy = new Set([
  'cluster.delete',
  'kubernetes.delete',
  'kubernetes.drain',
  'kubernetes.job',
  'http',
  'sql',
  'subworkflow',
])

export const executeWorkflow = actTool({
  name: 'execute_workflow',
  title: 'Execute a workflow',
  description:
    'Starts a run of a workflow; list_workflows has its id and the schema of its input. A person is asked where its steps can destroy something.',
  needs: ['workflows.execute', 'workflows.read'],
  mayDestroy: true,
  input: {
    workflowId: z.uuid().describe('Id of the workflow.'),
    input: z.record(z.string(), z.unknown()).default({}).describe('As the schema of the workflow asks for.'),
  },
  async plan({ call }, { workflowId, input }) {
    const { workflow } = await call('workflows.get', { params: { id: workflowId } })
    const { required = [] } = workflow.inputSchema as { required?: string[] }
    const missing = required.filter((name) => !(name in input))
    if (missing.length > 0)
      throw new AppError('invalid_request', `The input of ${workflow.name} needs ${missing.join(', ')}.`)
    return {
      summary: `A run of ${workflow.name} starts: ${stepsOf(workflow)}.`,
      ...questionOf(workflow, `Start ${workflow.name}?`),
      async apply(context, idempotencyKey) {
        const { run } = await context.call(
          'workflows.startRun',
          { params: { id: workflowId }, body: { input } },
          { idempotencyKey },
        )
        return { summary: `A run of ${workflow.name} was started. Follow it with get_run.`, runId: run.id }
      },
    }
  },
})

export const retryRun = actTool({
  name: 'retry_run',
  title: 'Retry a run',
  description: 'Starts a new run in place of one that failed, from the failed step or from the start.',
  needs: ['workflows.execute', 'workflows.read'],
  mayDestroy: true,
  input: { runId: runField, mode: z.enum(['from_failed', 'from_start']).default('from_failed') },
  async plan(context, { runId, mode }) {
    const { workflowId, workflowName, status, finishedAt } = await findRun(context, runId)
    if (finishedAt === null)
      throw new AppError(
        'conflict',
        `The run of ${workflowName} is ${status}, so there is nothing to retry yet.`,
      )
    const { workflow } = await context.call('workflows.get', { params: { id: workflowId } })
    return {
      summary: `A new run of ${workflowName} starts ${mode === 'from_failed' ? 'at the step that failed' : 'from the start'}.`,
      ...questionOf(workflow, `Retry the run of ${workflowName}?`),
      async apply({ call }, idempotencyKey) {
        const { run } = await call(
          'workflows.retry',
          { params: { id: workflowId, runId }, body: { mode } },
          { idempotencyKey },
        )
        return { summary: `A new run of ${workflowName} was started. Follow it with get_run.`, runId: run.id }
      },
    }
  },
})

export const cancelRun = actTool({
  name: 'cancel_run',
  title: 'Cancel a run',
  description: 'Asks a run to stop; what its finished steps did stays as it is.',
  needs: ['workflows.cancel', 'workflows.read'],
  input: { runId: runField },
  async plan(context, { runId }) {
    const { workflowId, workflowName, status, finishedAt } = await findRun(context, runId)
    if (finishedAt !== null)
      throw new AppError('conflict', `The run of ${workflowName} is over already: ${status}.`)
    return {
      summary: `The run of ${workflowName} is asked to stop.`,
      async apply({ call }, idempotencyKey) {
        await call('workflows.cancel', { params: { id: workflowId, runId } }, { idempotencyKey })
        return { summary: `The run of ${workflowName} was asked to stop.`, runId }
      },
    }
  },
})

function questionOf({ steps }: Workflow, text: string): Pick<Plan, 'question'> {
  const types = [...new Set(steps.map(({ type }) => type).filter((type) => mayDestroy.has(type)))]
  return types.length === 0
    ? {}
    : { question: `${text} It has steps that can destroy something: ${types.join(', ')}.` }
}

function stepsOf({ steps }: Workflow): string {
  const names = steps.slice(0, 10).map(({ name }) => name)
  return steps.length > names.length
    ? `${names.join(', ')} and ${steps.length - names.length} more steps`
    : names.join(', ')
}
