import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { actor, pageQuery, paged, timestamp, uuid } from '../base/schema.ts'
import { definitionProblem, workflowDefinition } from './definition.ts'
import { stepGuarantees, workflowDeletionDays, workflowStates } from './rules.ts'
import { workflow } from './endpoints.ts'

const wire = 'snake_case' as const
const workflowParams = z.object({ id: uuid })
const freeJson = z.record(z.string(), z.unknown())

const reason = z.string().trim().max(500).default('')

/** One type of step: what the editor, the validation and the reference know of it. */
export const stepTypeInfo = z
  .object({
    type: z.string(),
    label: z.string(),
    /** Where the palette of steps lists it. */
    group: z.enum(['Kubernetes', 'HTTP and scripts', 'Data', 'Flow', 'People', 'Bey']),
    icon: z.string(),
    description: z.string(),
    /** What a crash can do to a step, by its config: the first case that applies, else `otherwise`. */
    guarantee: z.object({
      cases: z
        .array(
          z.object({
            field: z.string(),
            /** What the field is where it is left out. */
            default: z.unknown(),
            values: z.array(z.unknown()).max(50),
            guarantee: z.enum(stepGuarantees),
          }),
        )
        .max(20),
      otherwise: z.enum(stepGuarantees),
    }),
    /** What holds for it beyond the sentence of its guarantee. */
    guaranteeNote: z.string(),
    /** JSON Schema of `config`; titles, descriptions and `x-widget` make the form. */
    configSchema: freeJson,
    /** A config to begin with. */
    example: freeJson,
    /** JSON Schema of the output, for the help on expressions. */
    outputSchema: freeJson,
    /** `pure`: a test changes nothing; `dry_run`: a test tells what would happen; `real_only`: a test is the real act. */
    test: z.enum(['pure', 'dry_run', 'real_only']),
  })
  .meta({ id: 'StepTypeInfo' })
export type StepTypeInfo = z.infer<typeof stepTypeInfo>

export const workflowVersion = z
  .object({
    version: z.number().int(),
    reason: z.string(),
    checksum: z.string(),
    createdAt: timestamp,
    createdBy: actor,
    /**
     * The API key that saved it: runs of the version do no more than the key may. Null where a person saved it; without a
     * name once the key is gone.
     */
    apiKey: z.object({ id: uuid, name: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'WorkflowVersion' })
export type WorkflowVersion = z.infer<typeof workflowVersion>

const saveBody = z.strictObject({
  ...workflowDefinition.shape,
  reason,
})

/** `warnings`: what does not stop the save, such as a secret or a workflow that does not exist (yet). */
const savedReply = z.object({
  workflow,
  version: workflowVersion,
  warnings: z.array(definitionProblem).max(200),
})

export const workflowAuthoringEndpoints = {
  'workflows.create': endpoint({
    method: 'POST',
    path: '/api/v1/workflows',
    summary: 'Create a workflow with its first version; `errors` names step and field',
    access: 'workflows.create',
    wire,
    body: saveBody.extend({ state: z.enum(['draft', 'active']).default('active') }),
    response: savedReply,
    status: 201,
    errors: ['conflict', 'name_taken'],
  }),
  'workflows.update': endpoint({
    method: 'PUT',
    path: '/api/v1/workflows/{id}',
    summary: 'Save a new version; 409 names who saved meanwhile',
    access: 'workflows.update',
    wire,
    params: workflowParams,
    /** `baseVersion`: the version that was edited. Without it the save overwrites whatever is current. */
    body: saveBody.extend({ baseVersion: z.number().int().min(1).optional() }),
    response: savedReply,
    errors: ['not_found', 'conflict', 'name_taken', 'forbidden'],
  }),
  'workflows.delete': endpoint({
    method: 'DELETE',
    path: '/api/v1/workflows/{id}',
    summary: `Delete a workflow, which can be restored for ${workflowDeletionDays} days; refused while a run goes on`,
    access: 'workflows.delete',
    wire,
    params: workflowParams,
    /** `permanent`: at once and for good, with its versions, triggers and runs; also of one that is deleted already. */
    query: z.object({ permanent: z.enum(['true', 'false']).default('false') }),
    response: z.object({
      /** Until when it can be restored; null where it is gone. */
      purgeAt: timestamp.nullable(),
      deletedRuns: z.number().int(),
    }),
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'workflows.restore': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/restore',
    summary: 'Undo the deletion of a workflow: it is again as it was',
    access: 'workflows.delete',
    wire,
    params: workflowParams,
    response: z.object({ workflow }),
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'workflows.setState': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/{id}/state',
    summary: 'Activate, pause or archive a workflow',
    access: 'workflows.update',
    wire,
    params: workflowParams,
    body: z.strictObject({ state: z.enum(workflowStates), reason }),
    response: z.object({ workflow }),
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'workflows.versions': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/versions',
    summary: 'Versions of a workflow, newest first',
    access: 'workflows.read',
    wire,
    params: workflowParams,
    query: pageQuery,
    response: paged('versions', workflowVersion),
    errors: ['not_found'],
  }),
  'workflows.version': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/{id}/versions/{version}',
    summary: 'One version with its definition; `latest` for the current one',
    access: 'workflows.read',
    wire,
    params: workflowParams.extend({
      version: z.union([z.literal('latest'), z.coerce.number().int().min(1).max(2_147_483_647)]),
    }),
    response: z.object({ version: workflowVersion, definition: workflowDefinition }),
    errors: ['not_found'],
  }),
  'workflows.validate': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/validate',
    summary: 'What is wrong with a definition, by step and field; saves nothing',
    access: 'workflows.read',
    withoutIdempotencyKey: 'It only reads.',
    wire,
    /** Anything: what is wrong with its shape is reported as problems, too. */
    body: z.strictObject({ definition: freeJson, workflowId: uuid.optional() }),
    response: z.object({
      problems: z.array(definitionProblem).max(200),
      /** Problems beyond the first 200 are counted only. */
      total: z.number().int(),
    }),
  }),
} as const

/** What the editor asks of the types of steps. */
export const workflowStepTypeEndpoints = {
  'workflows.stepTypes': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/step-types',
    summary: 'Types of steps with their schemas and guarantees',
    access: 'workflows.read',
    wire,
    response: z.object({ stepTypes: z.array(stepTypeInfo).max(200) }),
  }),
  'workflows.templates': endpoint({
    method: 'GET',
    path: '/api/v1/workflows/templates',
    summary: 'Workflows to begin with',
    access: 'workflows.read',
    wire,
    response: z.object({
      templates: z
        .array(z.object({ id: z.string(), icon: z.string(), definition: workflowDefinition }))
        .max(50),
    }),
  }),
} as const

/** One step or expression with sample values. */
export const workflowTrialEndpoints = {
  'workflows.testStep': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/test-step',
    summary:
      'Execute one step with sample values, as a dry run unless asked for the real act; records no run',
    access: 'workflows.update',
    withoutIdempotencyKey: 'It is tried again and again while a step is written, and keeps nothing.',
    wire,
    body: z.strictObject({
      step: freeJson,
      input: freeJson.default({}),
      /** Outputs of earlier steps by key, as the expressions of the step see them. */
      outputs: freeJson.default({}),
      isReal: z.boolean().default(false),
    }),
    outdates: [],
    response: z.object({
      status: z.enum(['succeeded', 'failed', 'timed_out', 'skipped']),
      isDryRun: z.boolean(),
      output: z.unknown(),
      error: z.object({ message: z.string() }).nullable(),
      logs: z.array(z.object({ level: z.string(), message: z.string() })).max(500),
      durationMs: z.number().int(),
    }),
    errors: ['forbidden'],
  }),
  'workflows.evaluate': endpoint({
    method: 'POST',
    path: '/api/v1/workflows/evaluate',
    summary: 'Value of an expression or template over sample values; secrets stay masked',
    access: 'workflows.read',
    withoutIdempotencyKey: 'It only reads.',
    wire,
    body: z.strictObject({
      source: z.string().max(4_000),
      kind: z.enum(['expression', 'template']),
      input: freeJson.default({}),
      outputs: freeJson.default({}),
      /** Values of a real run of this organization instead. */
      runId: uuid.optional(),
      /** With a run: `response` is what this step got, as its own success expression sees it. */
      stepKey: z.string().max(63).optional(),
    }),
    response: z.object({ value: z.unknown(), error: z.string().nullable() }),
    errors: ['not_found'],
  }),
} as const
