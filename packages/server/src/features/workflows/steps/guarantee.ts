import type { GuaranteeRule, StepGuaranteeName } from '@bey/contract'
import type { z } from 'zod'

/** The same guarantee for every config. */
export function alwaysGuaranteed(otherwise: StepGuaranteeName): GuaranteeRule {
  return { cases: [], otherwise }
}

/** A guarantee that depends on fields of a config: `cases` are tried in their order, then `otherwise` holds. */
export function guaranteedBy<Config extends z.ZodObject>(
  config: Config,
  cases: readonly {
    field: keyof Config['shape'] & string
    values: readonly unknown[]
    guarantee: StepGuaranteeName
  }[],
  otherwise: StepGuaranteeName,
): GuaranteeRule {
  const withDefault = cases.map((each) => {
    return { ...each, default: config.shape[each.field]?.safeParse(undefined).data ?? null }
  })
  return { cases: withDefault, otherwise }
}
