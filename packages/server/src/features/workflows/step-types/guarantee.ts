import type { StepGuaranteeName } from '@bey/contract'

import type { StepType } from './step-type.ts'

/**
 * What a crash can do to a step with this config, as far as it is known before its templates are resolved: a field whose
 * value is not known yet counts as its default. The engine asks again with the values.
 */
export function guaranteeOf(
  type: StepType | undefined,
  config: Readonly<Record<string, unknown>> = {},
): StepGuaranteeName {
  if (type === undefined) return 'at_least_once'
  // Its decision is recorded in the transaction that acts on it.
  if (type.kind === 'flow') return 'exactly_once'
  const known = Object.entries(type.config.shape).map(([name, schema]) => {
    const given = schema.safeParse(config[name])
    return [name, given.success ? given.data : schema.safeParse(undefined).data]
  })
  return type.guarantee(Object.fromEntries(known) as Record<string, unknown>)
}
