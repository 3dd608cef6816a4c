import type { GuaranteeRule, Permission, StepTypeInfo } from '@bey/contract'
import type { z } from 'zod'

import type { Mask } from '../../../platform/masking/mask.ts'
import type { Json, StepContext } from '../definition/definition.ts'
import type { ValueSchema } from '../definition/expressions/value-schema.ts'

/** What every type of step says of itself; the editor, the validation and the reference learn it from here. */
type Described<Config extends z.ZodObject> = {
  /** E.g. `http`. */
  type: string
  label: string
  group: StepTypeInfo['group']
  /** Name of a lucide icon. */
  icon: string
  description: string
  /** What a crash can do to a step, by its config: the editor, the page, the API and the engine all decide by it. */
  guarantee: GuaranteeRule
  /** What holds for it beyond the sentence of its guarantee. */
  guaranteeNote: string
  /**
   * Its config, with snake-case names as people write them. `.meta({ title, description, 'x-widget' })` makes the form.
   * Any string may be a template when it is written; it is parsed by this schema after the templates are resolved. A
   * field with `'x-literal': true` has no templates: it is a text in another language. One with
   * `'x-expression': ['response']` is a CEL expression over these variables, which the type evaluates itself.
   */
  config: Config
  example: z.input<Config>
  /** JSON Schema of the output. Where it has `properties`, the output has these and no others. */
  output: Json
  /** The same as far as it follows from the config as written. */
  outputOf?(config: Readonly<Record<string, unknown>>): ValueSchema
  /** What is known of the variables of its own expressions (`x-expression`), by its config as written. */
  variablesOf?(config: Readonly<Record<string, unknown>>): Readonly<Record<string, ValueSchema>>
  /** Its config is read by people or sent to them, so that no secret may stand in it. Steps of the engine never take any. */
  refusesSecrets?: true
  /** What the person who starts the run must be allowed to do, beside `workflows.execute`. */
  permission?: Permission
}

/** What an action sees while it executes: the context of its step, with the cluster, secret and sender it may use. */
export type ActionContext = StepContext & {
  /** The same for each attempt of this step of this run: for idempotency headers and names of what it makes. */
  idempotencyKey: string
  /** Of the secrets in the config. */
  secretValues: readonly string[]
  /** Takes the secrets of the workflow out of a text that others read. */
  mask: Mask
}

/** A step that does something itself. */
export type ActionStepType<Config extends z.ZodObject = z.ZodObject> = Described<Config> & {
  kind: 'action'
  /** Must look before it acts where it is repeatable. Throws `StepFailure` for what people can mend. */
  execute(context: ActionContext, config: z.output<Config>): Promise<Json | undefined>
  /** `pure`: testing changes nothing, so a test executes it. */
  test: 'pure' | 'real_only' | { dryRun(context: ActionContext, config: z.output<Config>): Promise<Json> }
}

/** A step that the engine itself carries out: it waits for something, starts another workflow, or ends the run. */
export type FlowStepType<Config extends z.ZodObject = z.ZodObject> = Described<Config> & {
  kind: 'flow'
  flow: 'wait' | 'wait_event' | 'approval' | 'subworkflow' | 'stop'
}

export type StepType = ActionStepType | FlowStepType

/** Ends the sentence that refuses a secret in a step whose config people read. */
export const secretsRefusal = 'people read what this step holds.'

/** Whether secrets may stand in the config of a type. */
export function takesSecrets(type: StepType): boolean {
  return type.kind === 'action' && type.refusesSecrets !== true
}
