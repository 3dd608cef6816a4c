import { z } from 'zod'
import { nameText } from '../base/schema.ts'
import { limitActions, retryReasons, workflowLimits, workflowTypes } from './rules.ts'

// What people write. Declared in camel case; on the wire and in YAML the declared names are snake case, and the keys
// of free JSON (`config`, `input_schema`, `outputs`) stay as they are.

const freeJson = z.record(z.string(), z.unknown())

/** A key that expressions can name: `steps.build_image.output`. */
const stepKey = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, 'Use lower-case letters, digits and underscores, beginning with a letter.')

/** A CEL expression, without braces. */
const expression = z.string().min(1).max(workflowLimits.expressionChars)

const durationMs = z.number().int().min(1).max(workflowLimits.longestMs)

const stepRetry = z.strictObject({
  /** Further attempts after the first. */
  limit: z.number().int().min(0).max(100),
  initialMs: durationMs.default(1_000),
  factor: z.number().min(1).max(10).default(2),
  maxMs: durationMs.default(60_000),
  /** Share of each delay that is random, 0 to 1. */
  jitter: z.number().min(0).max(1).default(0.2),
  /** Which failures are tried again; every failure unless given. */
  on: z.array(z.enum(retryReasons)).max(retryReasons.length).optional(),
})

const concurrency = z.strictObject({
  /** Template; steps or runs with the same result count together. */
  key: z.string().min(1).max(workflowLimits.expressionChars),
  max: z.number().int().min(1).max(1_000).default(1),
  onLimit: z.enum(limitActions).default('queue'),
})

export const workflowStepDefinition = z
  .strictObject({
    key: stepKey,
    name: nameText('Enter a name for the step.'),
    type: z.string().min(1).max(64),
    /** Keys of the steps that must end before it begins. Without it: the step before it in the list. */
    needs: z.array(stepKey).max(100).optional(),
    /** It is skipped unless this is true. */
    when: expression.optional(),
    /** As the type of the step declares it; strings may hold templates (`{{ inputs.name }}`). */
    config: freeJson.default({}),
    timeoutMs: durationMs.optional(),
    retry: stepRetry.optional(),
    /** Steps after it go on although it failed. */
    continueOnError: z.boolean().optional(),
    /** What is done to undo it when a later step fails; in the reverse order of completion. */
    compensate: z.strictObject({ type: z.string().min(1).max(64), config: freeJson.default({}) }).optional(),
    /** The step once for each item; `item` and `index` are known to its expressions. */
    foreach: z
      .strictObject({ items: expression, maxParallel: z.number().int().min(1).max(50).default(5) })
      .optional(),
    concurrency: concurrency.optional(),
  })
  .meta({ id: 'WorkflowStepDefinition' })
export type WorkflowStepDefinition = z.infer<typeof workflowStepDefinition>

export const workflowDefinition = z
  .strictObject({
    name: nameText('Enter a name for the workflow.'),
    description: z.string().trim().max(2_000).default(''),
    type: z.enum(workflowTypes).default('custom'),
    tags: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
    /** JSON Schema of the input, an object with defaults. */
    inputSchema: freeJson.default({ type: 'object', properties: {} }),
    steps: z.array(workflowStepDefinition).max(workflowLimits.steps),
    /** Results of the run by name; each a template over `steps` and `inputs`. */
    outputs: z.record(z.string().min(1).max(63), z.unknown()).default({}),
    /** How many steps of a run may go on at once. */
    parallel: z.number().int().min(1).max(100).default(10),
    timeoutMs: durationMs.optional(),
    concurrency: concurrency.optional(),
    /** Waiting runs with a greater number begin first. */
    priority: z.number().int().min(-100).max(100).default(0),
    /** A run that could not begin for so long expires. */
    queueTimeoutMs: durationMs.optional(),
    /** Runs that ended before so many days are deleted; 90 unless given. */
    retentionDays: z.number().int().min(1).max(3_650).optional(),
  })
  .meta({ id: 'WorkflowDefinitionBody' })
export type WorkflowDefinitionBody = z.infer<typeof workflowDefinition>
/** As clients send it: what has a default may be left out. */
export type WorkflowDefinitionInput = z.input<typeof workflowDefinition>

/** Where a definition is wrong, and how it is put right. */
export const definitionProblem = z
  .object({
    /** Path within the definition as people write it, e.g. `steps[2].config.url`. */
    path: z.string(),
    /** The step it belongs to, or null for the workflow itself. */
    stepKey: z.string().nullable(),
    message: z.string(),
    /** A warning does not stop saving. */
    severity: z.enum(['error', 'warning']),
    /** Where in the text at `path`, for a problem of an expression: `line` and `column` count from 1. */
    position: z
      .object({
        offset: z.number().int(),
        length: z.number().int(),
        line: z.number().int(),
        column: z.number().int(),
      })
      .optional(),
  })
  .meta({ id: 'DefinitionProblem' })
export type DefinitionProblem = z.infer<typeof definitionProblem>
