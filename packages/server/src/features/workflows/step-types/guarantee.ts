import type { StepGuaranteeName } from '@bey/contract'

import type { StepType } from './step-type.ts'

/**
 * What a crash can do to a step with this config, as far as it is known before its templates are resolved: a field whose
 * value is not known yet counts as in the example of the type.
 */
export function guaranteeOf(
  type: StepType | undefined,
  config: Readonly<Record<string, unknown>> = {},
): StepGuaranteeName {
  if (type === undefined) return 'at_least_once'
  // Its decision is recorded in the transaction that acts on it.
  if (type.kind === 'flow') return 'exactly_once'
  const known: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(type.config.shape)) {
    const value = config[name] !== undefined && schema.safeParse(config[name]).success
    known[name] = value || config[name] === undefined ? config[name] : exampleOf(type, name)
  }
  const parsed = type.config.safeParse(known)
  // Examples hold templates, too: what a guarantee depends on is never one of them.
  return type.guarantee(parsed.success ? parsed.data : type.example)
}

function exampleOf(type: StepType, name: string): unknown {
  return type.example[name]
}
