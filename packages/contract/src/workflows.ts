import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { entityTypes } from './entities/table.ts'
import { actor, entityRef, givenTime, pageQuery, paged, searchText, timestamp, uuid } from './schema.ts'
import { runStatuses, stepStatuses } from './statuses.ts'

// Declared in camel case, as the code reads them; `wire: 'snake_case'` renames declared names on the wire and
// leaves the keys of free JSON (`input`, `output`, records) alone.

export const workflowTypes = ['provisioning', 'deployment', 'maintenance', 'data', 'custom'] as const

const freeJson = z.record(z.string(), z.unknown())

export const workflowStep = z.object({
  key: z.string(),
  name: z.string(),
  type: z.string(),
  /** What a crash can do to it: `exactly_once`, `at_least_once_keyed` or `at_least_once`. */
  guarantee: z.string(),
})

export const workflow = z.object({
  id: uuid,
  name: z.string(),
  description: z.string(),
  type: z.enum(workflowTypes),
  /** Built in and read-only: the operations of the product itself. */
  isBuiltIn: z.boolean(),
  /** `idle` if never run, else the status of the last run. */
  status: z.union([z.literal('idle'), z.enum(runStatuses)]),
  steps: z.array(workflowStep).max(5000),
  lastRunAt: timestamp.nullable(),
  lastRunId: uuid.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Workflow = z.infer<typeof workflow>

export const run = z.object({
  id: uuid,
  workflowId: uuid,
  workflowName: z.string(),
  status: z.enum(runStatuses),
  trigger: z.enum(['manual', 'schedule', 'webhook', 'event', 'system']),
  /** What the run works on. */
  subject: entityRef.extend({ name: z.string() }).nullable(),
  input: freeJson,
  output: freeJson.nullable(),
  error: z.object({ message: z.string(), stepKey: z.string().nullable() }).nullable(),
  /** Counts how often another process had to take the run over. */
  recoveryCount: z.number().int(),
  progressPercent: z.number().min(0).max(100),
  queuedAt: timestamp,
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  cancelRequestedAt: timestamp.nullable(),
  createdBy: actor,
})
export type Run = z.infer<typeof run>

export const stepRun = z.object({
  id: uuid,
  key: z.string(),
  name: z.string(),
  type: z.string(),
  position: z.number().int(),
  status: z.enum(stepStatuses),
  guarantee: z.string(),
  attempt: z.number().int(),
  progressPercent: z.number().min(0).max(100),
  error: z.object({ message: z.string() }).nullable(),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
})
export type StepRun = z.infer<typeof stepRun>

export const stepLog = z.object({
  /** Counts from 1 without gaps within a run. */
  seq: z.number().int(),
  stepKey: z.string(),
  attempt: z.number().int(),
  at: timestamp,
  level: z.enum(['debug', 'info', 'warning', 'error']),
  message: z.string(),
})
export type StepLog = z.infer<typeof stepLog>

export const engineStatus = z.object({
  engine: z.object({
    status: z.string(),
    version: z.string(),
    startTime: timestamp,
    currentActiveWorkflows: z.number().int(),
    maxConcurrentWorkflows: z.number().int(),
  }),
  statistics: z.object({
    totalWorkflows: z.number().int(),
    workflowsByStatus: z.record(z.string(), z.number().int()),
    activeWorkflows: z.number().int(),
  }),
  websocket: z.object({ enabled: z.boolean() }),
  activeWorkflows: z
    .array(z.object({ id: uuid, type: z.string(), status: z.string(), createdAt: timestamp }))
    .max(200),
  executors: z.object({ registered: z.array(z.string()).max(200), type: z.string() }),
})
export type EngineStatus = z.infer<typeof engineStatus>

/** Largest value of PostgreSQL's integer, in which log lines are numbered. */
const maxSeq = 2_147_483_647

const workflowParams = z.object({ id: uuid })
const runParams = z.object({ id: uuid, runId: uuid })
const runQuery = pageQuery.extend({
  status: z.enum(runStatuses).optional(),
  sort: z.enum(['queuedAt', 'status']).default('queuedAt'),
})
const wire = 'snake_case' as const

/** A run with its workflow, its steps and its last 200 log lines; `logsBefore` is the cursor to what came before. */
const runDetail = z.object({
  run,
  workflow,
  steps: z.array(stepRun).max(5000),
  logs: z.array(stepLog).max(200),
  logsBefore: z.number().int().nullable(),
})

export const workflowEndpoints = {
  'workflows.list': endpoint({
    method: 'GET',
    path: '/api/v1/workflows',
    summary: 'Workflows of the organization, built-in ones included',
    access: 'workflows.read',
    wire,
    query: pageQuery.extend({
      search: searchText,
      status: z.union([z.literal('idle'), z.enum(runStatuses)]).optional(),
      type: z.enum(workflowTypes).optional(),
      sort: z.enum(['name', 'lastRunAt', 'createdAt']).default('name'),
    }),
    response: paged('workflows', workflow),
  }),
  'workflows.get': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}',
    summary: 'One workflow with the steps and logs of its last run',
    access: 'workflows.read',
    wire,
    params: workflowParams,
    response: z.object({ workflow, steps: z.array(stepRun).max(5000), logs: z.array(stepLog).max(200) }),
    errors: ['not_found'],
  }),
  'workflows.allRuns': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/runs',
    summary: 'Runs of every workflow, newest first',
    access: 'workflows.read',
    wire,
    query: runQuery.extend({
      /** Of one thing that runs work on; both or neither. */
      subjectType: z.enum(entityTypes).optional(),
      subjectId: z.string().min(1).max(64).optional(),
      since: givenTime.optional(),
      /** `false`: those that are under way or will be. */
      isOver: z.enum(['true', 'false']).optional(),
    }),
    response: paged('runs', run),
  }),
  'workflows.runs': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/runs',
    summary: 'Runs of one workflow, newest first',
    access: 'workflows.read',
    wire,
    params: workflowParams,
    query: runQuery,
    response: paged('runs', run),
    errors: ['not_found'],
  }),
  'workflows.run': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/runs/{runId}',
    summary: 'One run with its steps and last log lines',
    access: 'workflows.read',
    wire,
    params: runParams,
    response: runDetail,
    errors: ['not_found'],
  }),
  'workflows.runLogs': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/runs/{runId}/logs',
    summary: 'Log lines of a run by sequence number, for what a detail does not carry or a socket missed',
    access: 'workflows.read',
    wire,
    params: runParams,
    query: z.object({
      /** Lines with a greater `seq`. */
      after: z.coerce.number().int().min(0).max(maxSeq).optional(),
      /** Lines with a lesser `seq`, the nearest first. */
      before: z.coerce.number().int().min(1).max(maxSeq).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(200),
    }),
    response: z.object({ logs: z.array(stepLog).max(200), nextCursor: z.number().int().nullable() }),
    errors: ['not_found'],
  }),
  'workflows.cancel': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/runs/{runId}/cancel',
    summary: 'Ask a run to stop; a run that is over is left alone',
    access: 'workflows.cancel',
    wire,
    params: runParams,
    response: z.object({ run }),
    status: 202,
    isIdempotent: true,
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'workflows.engineStatus': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/debug/engine-status',
    summary: 'State of the workflow engine',
    access: 'engine.read',
    wire,
    response: engineStatus,
  }),
  'workflows.engineStatusCamel': endpoint({
    method: 'GET',
    path: '/api/workflows/debug/engine-status',
    summary: 'State of the workflow engine, in camel case for the developer tools',
    access: 'engine.read',
    response: engineStatus,
  }),
} as const
