import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { entityTypes } from '../base/entity-table.ts'
import { actor, entityRef, givenTime, pageQuery, paged, searchText, timestamp, uuid } from '../base/schema.ts'
import { runStatuses, stepStatuses } from '../base/statuses.ts'
import { stepGuarantees, workflowStates, workflowTypes } from './rules.ts'

// Declared in camel case, as the code reads them; `wire: 'snake_case'` renames declared names on the wire and
// leaves the keys of free JSON (`input`, `output`, records) alone.

const freeJson = z.record(z.string(), z.unknown())

export const workflowStep = z.object({
  key: z.string(),
  name: z.string(),
  type: z.string(),
  /** What a crash can do to it. */
  guarantee: z.enum(stepGuarantees),
  /** Keys of the steps that it waits for. */
  needs: z.array(z.string()).max(5000),
})

/** The last runs of a workflow in short, for its row in a list. */
const workflowActivity = z.object({
  /** Up to 20, newest last. */
  runs: z
    .array(
      z.object({
        id: uuid,
        status: z.enum(runStatuses),
        queuedAt: timestamp,
        /** How long it ran; null while it has not ended or never began. */
        durationMs: z.number().nullable(),
      }),
    )
    .max(20),
  /** Share of the last 100 runs that ended by themselves and completed, 0 to 1; null where none has. */
  successRate: z.number().min(0).max(1).nullable(),
  medianMs: z.number().nullable(),
})

export const workflow = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string(),
    type: z.enum(workflowTypes),
    /** Built in and read-only: the operations of the product itself. */
    isBuiltIn: z.boolean(),
    state: z.enum(workflowStates),
    /** It was deleted, can be restored until then, and is gone with its runs after that; null for all others. */
    purgeAt: timestamp.nullable(),
    /** Number of the current version; built-in workflows stay at 1. */
    version: z.number().int(),
    tags: z.array(z.string()).max(20),
    /** JSON Schema of the input of its runs. */
    inputSchema: freeJson,
    /** `idle` if never run, else the status of the last run. */
    status: z.union([z.literal('idle'), z.enum(runStatuses)]),
    steps: z.array(workflowStep).max(5000),
    lastRunAt: timestamp.nullable(),
    lastRunId: uuid.nullable(),
    activity: workflowActivity,
    /** When its next schedule is due. */
    nextRunAt: timestamp.nullable(),
    createdBy: actor,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Workflow' })
export type Workflow = z.infer<typeof workflow>

export const runTriggers = ['manual', 'schedule', 'webhook', 'event', 'system'] as const

export const run = z
  .object({
    id: uuid,
    workflowId: uuid,
    workflowName: z.string(),
    status: z.enum(runStatuses),
    /** The version of the workflow that it executes; null for built-in ones. */
    version: z.number().int().nullable(),
    trigger: z.enum(runTriggers),
    /** Name of the schedule, webhook or event rule that started it. */
    triggerName: z.string().nullable(),
    /** What the run works on. */
    subject: entityRef.extend({ name: z.string() }).nullable(),
    input: freeJson,
    output: freeJson.nullable(),
    error: z.object({ message: z.string(), stepKey: z.string().nullable() }).nullable(),
    /** What a waiting run waits for, in words, and until when. */
    waiting: z.object({ kind: z.string(), text: z.string(), until: timestamp.nullable() }).nullable(),
    /** The run of which it is a sub-workflow. */
    parent: z.object({ workflowId: uuid, runId: uuid, stepKey: z.string() }).nullable(),
    /** The run that it retries. */
    retryOf: uuid.nullable(),
    priority: z.number().int(),
    /** When it is ended as timed out. */
    deadlineAt: timestamp.nullable(),
    /** Counts how often another process had to take the run over. */
    recoveryCount: z.number().int(),
    progressPercent: z.number().min(0).max(100),
    queuedAt: timestamp,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    cancelRequestedAt: timestamp.nullable(),
    createdBy: actor,
  })
  .meta({ id: 'Run' })
export type Run = z.infer<typeof run>

export const stepRun = z
  .object({
    id: uuid,
    key: z.string(),
    name: z.string(),
    type: z.string(),
    position: z.number().int(),
    status: z.enum(stepStatuses),
    guarantee: z.enum(stepGuarantees),
    attempt: z.number().int(),
    progressPercent: z.number().min(0).max(100),
    error: z.object({ message: z.string() }).nullable(),
    /** Keys of the steps that it waits for. */
    needs: z.array(z.string()).max(5000),
    /** The step whose iteration this is (`deploy` for `deploy[3]`), or null. */
    parentKey: z.string().nullable(),
    /** Why it was skipped or what it waits for, in words. */
    note: z.string(),
    /** When the next attempt begins, or a wait ends. */
    nextAt: timestamp.nullable(),
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'StepRun' })
export type StepRun = z.infer<typeof stepRun>

/** One attempt of a step. `interrupted` is one whose process died. */
export const stepAttempt = z
  .object({
    attempt: z.number().int(),
    status: z.string(),
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
    /** The process that executed it. */
    executorId: z.string(),
    error: z.object({ message: z.string() }).nullable(),
  })
  .meta({ id: 'StepAttempt' })
export type StepAttempt = z.infer<typeof stepAttempt>

/** How much a line of a log matters, the least first. */
const logLevels = ['debug', 'info', 'warning', 'error'] as const

export const stepLog = z
  .object({
    /** Counts from 1 without gaps within a run. */
    seq: z.number().int(),
    stepKey: z.string(),
    attempt: z.number().int(),
    at: timestamp,
    level: z.enum(logLevels),
    message: z.string(),
  })
  .meta({ id: 'StepLog' })
export type StepLog = z.infer<typeof stepLog>

export const engineStatus = z
  .object({
    engine: z.object({
      status: z.string(),
      version: z.string(),
      startTime: timestamp,
      currentActiveWorkflows: z.number().int(),
      maxConcurrentWorkflows: z.number().int(),
    }),
    statistics: z.object({
      totalWorkflows: z.number().int(),
      /** Runs by status; exact to 1,000, and 1,001 means any more. */
      workflowsByStatus: z.record(z.string(), z.number().int()),
      activeWorkflows: z.number().int(),
    }),
    websocket: z.object({ enabled: z.boolean() }),
    activeWorkflows: z
      .array(z.object({ id: uuid, type: z.string(), status: z.string(), createdAt: timestamp }))
      .max(200),
    executors: z.object({ registered: z.array(z.string()).max(200), type: z.string() }),
    /** Runs of the organization that wait to begin. */
    queue: z.object({ depth: z.number().int(), oldestMs: z.number() }),
    /** Living processes that execute runs, of the whole installation. */
    workers: z
      .array(
        z.object({
          id: z.string(),
          /** The one that answers. */
          isThisOne: z.boolean(),
          /** `all` answers people as well, `worker` only executes. */
          role: z.enum(['all', 'worker']),
          startedAt: timestamp,
          heartbeatAt: timestamp,
          activeRuns: z.number().int(),
          maxRuns: z.number().int(),
        }),
      )
      .max(200),
  })
  .meta({ id: 'EngineStatus' })
export type EngineStatus = z.infer<typeof engineStatus>

/** Largest value of PostgreSQL's integer, in which log lines are numbered. */
const maxSeq = 2_147_483_647

const workflowParams = z.object({ id: uuid })
const runParams = z.object({ id: uuid, runId: uuid })
/** Several values of a query parameter, separated by commas. */
const statusList = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(runStatuses)).max(runStatuses.length))

const sorted = pageQuery.extend({ sort: z.enum(['queuedAt', 'status']).default('queuedAt') })
const runQuery = sorted.extend({ status: statusList.optional() })

/** Which runs a list shows. */
export const runFilter = z.object({
  status: statusList.optional(),
  workflowId: uuid.optional(),
  trigger: z.enum(runTriggers).optional(),
  /** Of one thing that runs work on; both or neither. */
  subjectType: z.enum(entityTypes).optional(),
  subjectId: z.string().min(1).max(64).optional(),
  since: givenTime.optional(),
  until: givenTime.optional(),
  /** `false`: those that are under way or will be. */
  isOver: z.enum(['true', 'false']).optional(),
  /** In the name of the workflow, the error, or the beginning of the id of the run. */
  search: searchText,
})
const wire = 'snake_case' as const

/** A run with its workflow, its steps and its last 200 log lines; `logsBefore` is the cursor to what came before. */
const runDetail = z.object({
  run,
  /** Reckoned from the median of earlier runs; null where fewer than five have completed. */
  estimate: z.object({ totalMs: z.number(), basedOn: z.number().int() }).nullable(),
  /** Median and 90th percentile of earlier runs by step. */
  usual: z.record(z.string(), z.object({ medianMs: z.number(), p90Ms: z.number() })),
  /** Runs that were started by its steps. */
  children: z.array(run).max(100),
  /** Runs that retry it. */
  retries: z.array(z.object({ workflowId: uuid, runId: uuid, status: z.enum(runStatuses) })).max(50),
  workflow,
  steps: z.array(stepRun).max(5000),
  /** Every attempt of the first 500 steps that took more than one or lost their process, in the order of their start. */
  attempts: z.array(stepAttempt.extend({ stepKey: z.string() })).max(5000),
  logs: z.array(stepLog).max(200),
  logsBefore: z.number().int().nullable(),
})

/** A page of runs. */
export const runList = paged('runs', run)

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
      state: z.enum(workflowStates).optional(),
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
    query: sorted.extend(runFilter.shape),
    response: runList,
  }),
  'workflows.runs': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/runs',
    summary: 'Runs of one workflow, newest first',
    access: 'workflows.read',
    wire,
    params: workflowParams,
    query: runQuery,
    response: runList,
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
      /** Lines of one step. */
      stepKey: z.string().min(1).max(80).optional(),
      /** Lines of at least this level. */
      level: z.enum(logLevels).optional(),
      /** Lines whose message contains it. */
      search: searchText,
    }),
    response: z.object({ logs: z.array(stepLog).max(200), nextCursor: z.number().int().nullable() }),
    errors: ['not_found'],
  }),
  'workflows.downloadLogs': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/runs/{runId}/logs/download',
    summary: 'The whole log of a run, or of one step, as text',
    access: 'workflows.read',
    params: runParams,
    query: z.object({ stepKey: z.string().min(1).max(80).optional() }),
    response: { mediaType: 'text/plain' },
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
    errors: ['not_found', 'conflict', 'forbidden'],
    operation: { read: 'workflows.run' },
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
