import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { actor, pageQuery, paged, timestamp, uuid } from '../base/schema.ts'
import { runStatuses } from '../base/statuses.ts'
import { run, runFilter, runTriggers, stepAttempt, stepRun } from './endpoints.ts'

const wire = 'snake_case' as const
const freeJson = z.record(z.string(), z.unknown())
const workflowParams = z.object({ id: uuid })
const runParams = z.object({ id: uuid, runId: uuid })
/** A step of a run; iterations are called `deploy[3]`. */
const stepParams = runParams.extend({ stepKey: z.string().min(1).max(80) })

const startBody = z.strictObject({
  input: freeJson.default({}),
  /** A version to run instead of the current one. */
  version: z.number().int().min(1).optional(),
  priority: z.number().int().min(-100).max(100).optional(),
})
const started = z.object({ run })

export const approvalStatuses = ['pending', 'approved', 'rejected', 'timed_out', 'cancelled'] as const

export const approval = z
  .object({
    id: uuid,
    workflowId: uuid,
    workflowName: z.string(),
    runId: uuid,
    stepKey: z.string(),
    stepName: z.string(),
    status: z.enum(approvalStatuses),
    /** What is asked, with its templates resolved. */
    question: z.string(),
    details: z.string(),
    /** Facts to decide by: names with values. */
    facts: z.array(z.object({ name: z.string(), value: z.string() })).max(50),
    /** What is going to change, as a text diff, or empty. */
    plan: z.string(),
    /** JSON Schema of what an approver fills in, or null. */
    form: freeJson.nullable(),
    neededCount: z.number().int(),
    requestedBy: actor,
    requestedAt: timestamp,
    expiresAt: timestamp.nullable(),
    /** What happens when nobody decides in time. */
    onTimeout: z.enum(['reject', 'approve', 'fail']),
    /** Roles and users who may decide, in words. */
    approvers: z.string(),
    /** Members who may still decide, by name; of what is decided nobody. */
    deciders: z.array(actor).max(20),
    decidersTotal: z.number().int(),
    /** When those who may decide were reminded last; null: never. */
    remindedAt: timestamp.nullable(),
    /** Why the caller may not decide, or null where they may. */
    deniedReason: z.string().nullable(),
    decisions: z
      .array(
        z.object({
          by: actor,
          at: timestamp,
          decision: z.enum(['approve', 'reject']),
          comment: z.string(),
          form: freeJson.nullable(),
        }),
      )
      .max(100),
  })
  .meta({ id: 'Approval' })
export type Approval = z.infer<typeof approval>

const bulkFilter = z.strictObject({
  workflowId: uuid.optional(),
  status: z.array(z.enum(runStatuses)).max(12).optional(),
  trigger: z.enum(runTriggers).optional(),
  since: timestamp.optional(),
  until: timestamp.optional(),
  search: z.string().max(200).optional(),
  /** These runs and no others. */
  runIds: z.array(uuid).max(1_000).optional(),
})

/** What is asked about runs. */
export const workflowRunReadEndpoints = {
  'workflows.step': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/runs/{runId}/steps/{stepKey}',
    summary: 'One step of a run with its input, output and attempts; secrets are masked',
    access: 'workflows.read',
    wire,
    params: stepParams,
    response: z.object({
      step: stepRun,
      input: z.unknown(),
      output: z.unknown(),
      attempts: z.array(stepAttempt).max(101),
      approval: approval.nullable(),
    }),
    errors: ['not_found'],
  }),
  'workflows.approvals': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/approvals',
    summary: 'Approvals of the organization, pending ones unless asked otherwise',
    access: 'workflows.read',
    wire,
    query: pageQuery.extend({
      status: z.enum(approvalStatuses).optional(),
      runId: uuid.optional(),
      /** Only what the caller may decide. */
      mine: z.enum(['true', 'false']).optional(),
    }),
    response: paged('approvals', approval),
  }),
  'workflows.approval': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/approvals/{approvalId}',
    summary: 'One approval with what was decided so far',
    access: 'workflows.read',
    wire,
    params: z.object({ approvalId: uuid }),
    response: z.object({ approval }),
    errors: ['not_found'],
  }),
  'workflows.runCounts': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/runs/counts',
    summary: 'How many runs there are in each status, within a filter',
    access: 'workflows.read',
    wire,
    query: runFilter.omit({ status: true }),
    /** By status; exact to 10,000, and 10,001 means any more. Statuses without a run are left out. */
    response: z.object({ counts: z.record(z.string(), z.number().int()) }),
  }),
  'workflows.statistics': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/statistics',
    summary: 'Success, durations and failing steps of the last 10,000 runs of a workflow, by day of UTC',
    access: 'workflows.read',
    wire,
    params: workflowParams,
    query: z.object({ days: z.coerce.number().int().min(1).max(90).default(30) }),
    response: z.object({
      runs: z.number().int(),
      succeeded: z.number().int(),
      failed: z.number().int(),
      medianMs: z.number().nullable(),
      p95Ms: z.number().nullable(),
      days: z
        .array(
          z.object({
            day: z.iso.date(),
            succeeded: z.number().int(),
            failed: z.number().int(),
            other: z.number().int(),
            medianMs: z.number().nullable(),
          }),
        )
        .max(90),
      steps: z
        .array(
          z.object({
            key: z.string(),
            name: z.string(),
            runs: z.number().int(),
            failed: z.number().int(),
            medianMs: z.number().nullable(),
            p90Ms: z.number().nullable(),
          }),
        )
        .max(5_000),
    }),
    errors: ['not_found'],
  }),
} as const

/** What is done with runs. */
export const workflowRunActionEndpoints = {
  'workflows.execute': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/execute',
    summary: 'Start a run; the same act as POST …/runs',
    access: 'workflows.execute',
    wire,
    params: workflowParams,
    body: startBody,
    response: started,
    status: 202,
    errors: ['not_found', 'conflict', 'forbidden'],
    operation: { read: 'workflows.run' },
  }),
  'workflows.startRun': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/runs',
    summary: 'Start a run with input that fits the schema of the workflow',
    access: 'workflows.execute',
    wire,
    params: workflowParams,
    body: startBody,
    response: started,
    status: 202,
    errors: ['not_found', 'conflict', 'forbidden'],
    operation: { read: 'workflows.run' },
  }),
  'workflows.retry': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/runs/{runId}/retry',
    summary: 'Start a new run that keeps the recorded outputs of the old one as far as asked',
    access: 'workflows.execute',
    wire,
    params: runParams,
    body: z.strictObject({
      mode: z.enum(['from_failed', 'from_step', 'from_start']).default('from_failed'),
      stepKey: z.string().min(1).max(80).optional(),
      input: freeJson.optional(),
      version: z.enum(['pinned', 'latest']).default('pinned'),
    }),
    response: started,
    status: 202,
    errors: ['not_found', 'conflict', 'forbidden'],
    operation: { read: 'workflows.run' },
  }),
  'workflows.forceCancel': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/runs/{runId}/force-cancel',
    summary: 'End a run that was asked to stop 10 s ago or more, without waiting for its steps',
    access: 'workflows.cancel',
    wire,
    params: runParams,
    response: z.object({ run, leftBehind: z.array(z.string()).max(100) }),
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'workflows.pause': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/runs/{runId}/pause',
    summary: 'Begin no further step until the run is resumed',
    access: 'workflows.cancel',
    wire,
    params: runParams,
    response: z.object({ run }),
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'workflows.resume': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/runs/{runId}/resume',
    summary: 'Go on with a paused run',
    access: 'workflows.cancel',
    wire,
    params: runParams,
    response: z.object({ run }),
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'workflows.settleStep': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/runs/{runId}/steps/{stepKey}/settle',
    summary: 'Say of an uncertain step whether it happened; audited',
    access: 'workflows.execute',
    wire,
    params: stepParams,
    body: z.strictObject({
      decision: z.enum(['happened', 'repeat', 'fail']),
      /** The output of the step where it happened. */
      output: freeJson.optional(),
      reason: z.string().trim().min(1, 'Say why.').max(500),
    }),
    response: z.object({ run }),
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'workflows.decide': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/approvals/{approvalId}/decide',
    summary: 'Approve or reject; decided meanwhile, the answer says by whom',
    access: 'workflows.execute',
    wire,
    params: z.object({ approvalId: uuid }),
    body: z.strictObject({
      decision: z.enum(['approve', 'reject']),
      comment: z.string().trim().max(1_000).default(''),
      form: freeJson.optional(),
    }),
    response: z.object({ approval }),
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'workflows.remind': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/approvals/{approvalId}/remind',
    summary: 'Notify those who may still decide an approval again, at most once an hour; audited',
    access: 'workflows.execute',
    wire,
    params: z.object({ approvalId: uuid }),
    response: z.object({ approval }),
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'workflows.bulk': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/runs/bulk',
    summary: 'Cancel or retry the runs of a filter, itself a run with a line for each',
    access: 'workflows.execute',
    wire,
    body: z.strictObject({ action: z.enum(['cancel', 'retry']), filter: bulkFilter }),
    response: started.extend({ matched: z.number().int() }),
    status: 202,
    errors: ['forbidden', 'conflict'],
    operation: { read: 'workflows.run' },
  }),
} as const
