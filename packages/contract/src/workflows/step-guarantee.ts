import type { StepGuaranteeName } from './rules.ts'

/** The guarantee that holds where one field of a config has one of the listed values. */
export type GuaranteeCase = {
  field: string
  /** What the field is where it is left out. */
  default: unknown
  values: readonly unknown[]
  guarantee: StepGuaranteeName
}

/** What a crash can do to a step of one type, by its config: the first case that applies, else `otherwise`. */
export type GuaranteeRule = {
  cases: readonly GuaranteeCase[]
  otherwise: StepGuaranteeName
}

/**
 * What a crash can do to a step with this config. A field whose value is not known yet, such as a template, meets no
 * case; an unknown type of step has no rule and the weakest guarantee.
 */
export function guaranteeOf(
  rule: GuaranteeRule | undefined,
  config: Readonly<Record<string, unknown>>,
): StepGuaranteeName {
  if (rule === undefined) return 'at_least_once'
  const found = rule.cases.find(({ field, default: unset, values }) => {
    const given = JSON.stringify(config[field] ?? unset)
    return values.some((value) => JSON.stringify(value) === given)
  })
  return found?.guarantee ?? rule.otherwise
}
