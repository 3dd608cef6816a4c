import type { Permission } from '@bey/contract'
import { z } from 'zod'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import type { CallerApi } from './call-api.ts'

/** What a tool works with: the API as the caller reaches it. */
export type ToolContext = CallerApi & { caller: TenantCaller; now: () => Date }

/** What every result has beside the fields of its tool. */
const resultFields = {
  /** The result in one or two sentences. */
  summary: z.string(),
  /** What did not fit into the result, a sentence each, with the way to it. */
  leftOut: z.array(z.string()),
}

type Described = {
  /** As the model calls it: a verb first. */
  name: string
  title: string
  /** For the model: when to use it and what it answers. */
  description: string
  /** The caller must hold all of them, or is not shown the tool. */
  needs: readonly Permission[]
  input: z.ZodObject
  output: z.ZodObject
}

export type ReadTool = Described & {
  effect: 'read'
  run(context: ToolContext, input: object): Promise<object>
}

/** What a dry run found. */
export type Plan = {
  /** What carrying it out changes, as a sentence in the future tense. */
  summary: string
  /** Facts for the reader, such as the images before and after. */
  details?: { before?: string; after?: string; warnings?: string[] }
  /** Why a person must agree, as the question that they are asked; undefined where nothing is destroyed. */
  question?: string
  /** Carries the plan out; `idempotencyKey` is the same for every attempt. Answers what was done. */
  apply(context: ToolContext, idempotencyKey: string): Promise<{ summary: string; runId?: string }>
}

export type ActTool = Omit<Described, 'output'> & {
  effect: 'act'
  /** Whether it can destroy anything: clients show it, and `question` of a plan decides. */
  mayDestroy: boolean
  /** Tries it without changing anything, at the place that would carry it out where that is possible. */
  plan(context: ToolContext, input: object): Promise<Plan>
}

export type Tool = ReadTool | ActTool

/** A tool that only reads. Its answer gets what was left out of it. */
export function readTool<I extends z.ZodRawShape, O extends z.ZodRawShape>(
  described: Omit<Described, 'input' | 'output'> & {
    input: I
    output: O
    run(
      context: ToolContext,
      input: z.output<z.ZodObject<I>>,
    ): Promise<z.input<z.ZodObject<O>> & { summary: string; leftOut?: string[] }>
  },
): ReadTool {
  const { run } = described
  return {
    ...described,
    effect: 'read',
    input: z.strictObject(described.input),
    output: z.object({ ...described.output, ...resultFields }),
    // Parsed by the schema of the tool before it is called.
    run: (context, input) => run(context, input as z.output<z.ZodObject<I>>),
  }
}

/** A tool that changes something, in two calls: a dry run that answers a plan, and the plan. */
export function actTool<I extends z.ZodRawShape>(
  described: Omit<Described, 'input' | 'output'> & {
    input: I
    mayDestroy?: boolean
    plan(context: ToolContext, input: z.output<z.ZodObject<I>>): Promise<Plan>
  },
): ActTool {
  const { plan, mayDestroy = false } = described
  return {
    ...described,
    effect: 'act',
    mayDestroy,
    input: z.strictObject({ ...described.input, plan: planField }),
    // Parsed by the schema of the tool before it is called.
    plan: (context, input) => plan(context, input as z.output<z.ZodObject<I>>),
  }
}

const planField = z
  .string()
  .max(100)
  .optional()
  .describe(
    'Leave it out for a dry run, which changes nothing and answers a plan. Give its id to carry it out.',
  )

/** What every tool that acts answers. */
export const actOutput = z.object({
  /** False after a dry run. */
  isApplied: z.boolean(),
  /** Id of the plan to carry out; null once that is done. */
  plan: z.string().nullable(),
  /** Whether a person will be asked before it is carried out. */
  needsConfirmation: z.boolean(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  warnings: z.array(z.string()),
  /** The run that does it, to follow with get_run. */
  runId: z.string().nullable(),
  ...resultFields,
})
