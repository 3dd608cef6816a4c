import { runStatuses } from '@bey/contract'
import type { Run } from '@bey/contract'
import { z } from 'zod'
import { AppError } from '../../../platform/errors.ts'
import { readTool, type ToolContext } from '../tool.ts'
import { beyond } from './objects.ts'

const nullableText = z.string().nullable()
const limit = z.number().int().min(1).max(100).default(20)

const runRow = z.object({
  runId: z.string(),
  workflow: z.string(),
  status: z.string(),
  subject: nullableText,
  error: nullableText,
  waitingFor: nullableText,
  progressPercent: z.number(),
  queuedAt: z.string(),
  finishedAt: nullableText,
  startedBy: z.string(),
})

export const runField = z.uuid().describe('Id of the run.')

export const listRuns = readTool({
  name: 'list_runs',
  title: 'List runs',
  description: 'Runs of workflows, the newest first, with status and error.',
  needs: ['workflows.read'],
  input: {
    status: z.array(z.enum(runStatuses)).max(runStatuses.length).optional(),
    workflow: z.string().max(100).optional().describe('Part of the name of the workflow.'),
    limit,
  },
  output: { runs: z.array(runRow), total: z.number() },
  async run({ call }, { status, workflow, limit: most }) {
    const { runs, total } = await call('workflows.allRuns', {
      query: {
        limit: most,
        ...(status?.length && { status: status.join(',') }),
        ...(workflow !== undefined && { search: workflow }),
      },
    })
    return {
      summary: `${total} runs match.`,
      runs: runs.map(rowOf),
      total,
      leftOut: beyond('runs', runs.length, total),
    }
  },
})

export const getRun = readTool({
  name: 'get_run',
  title: 'Look at a run',
  description: 'One run with its steps, its error and its last log lines; also whether it has ended.',
  needs: ['workflows.read'],
  input: { runId: runField },
  output: {
    run: runRow,
    hasEnded: z.boolean(),
    steps: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        status: z.string(),
        attempt: z.number(),
        error: nullableText,
        note: z.string(),
      }),
    ),
    logs: z.array(z.object({ at: z.string(), level: z.string(), step: z.string(), text: z.string() })),
  },
  async run(context, { runId }) {
    const run = await findRun(context, runId)
    const found = await context.call('workflows.run', { params: { id: run.workflowId, runId } })
    const { steps, logs } = found
    return {
      summary: `The run of ${run.workflowName} is ${found.run.status}${found.run.error ? `: ${found.run.error.message}` : ''}.`,
      run: rowOf(found.run),
      hasEnded: found.run.finishedAt !== null,
      steps: steps.map(({ key, name, status, attempt, error, note }) => ({
        key,
        name,
        status,
        attempt,
        error: error?.message ?? null,
        note,
      })),
      logs: logs
        .slice(-100)
        .map(({ at, level, stepKey, message }) => ({ at, level, step: stepKey, text: message })),
      leftOut: logs.length > 100 ? [`logs: the last 100.`] : [],
    }
  },
})

export const listWorkflows = readTool({
  name: 'list_workflows',
  title: 'List workflows',
  description:
    'Workflows of the organization with the JSON Schema of their input, as execute_workflow needs it.',
  needs: ['workflows.read'],
  input: { search: z.string().max(100).optional().describe('Part of the name.'), limit },
  output: {
    workflows: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        isBuiltIn: z.boolean(),
        state: z.string(),
        lastStatus: z.string(),
        inputSchema: z.record(z.string(), z.unknown()),
      }),
    ),
    total: z.number(),
  },
  async run({ call }, query) {
    const { workflows, total } = await call('workflows.list', { query })
    return {
      summary: `${total} workflows match.`,
      workflows: workflows.map(({ id, name, description, isBuiltIn, state, status, inputSchema }) => ({
        id,
        name,
        description,
        isBuiltIn,
        state,
        lastStatus: status,
        inputSchema,
      })),
      total,
      leftOut: beyond('workflows', workflows.length, total),
    }
  },
})

/** The run with an id, of whatever workflow. Throws AppError `not_found`. */
export async function findRun({ call }: ToolContext, runId: string): Promise<Run> {
  const { runs } = await call('workflows.allRuns', { query: { search: runId, limit: 10 } })
  const found = runs.find(({ id }) => id === runId)
  if (found) return found
  throw new AppError('not_found', `There is no run ${runId} among those that you may see.`)
}

function rowOf({
  id,
  workflowName,
  status,
  subject,
  error,
  waiting,
  progressPercent,
  ...run
}: Run): z.output<typeof runRow> {
  return {
    runId: id,
    workflow: workflowName,
    status,
    subject: subject && `${subject.type} ${subject.name}`,
    error: error?.message ?? null,
    waitingFor: waiting?.text ?? null,
    progressPercent,
    queuedAt: run.queuedAt,
    finishedAt: run.finishedAt,
    startedBy: run.createdBy.name,
  }
}
