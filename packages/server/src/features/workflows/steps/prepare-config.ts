import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { Mask } from '../../../platform/masking/mask.ts'
import type { Scope } from '../definition/expressions/evaluate.ts'
import { ExpressionError } from '../definition/expressions/expression-error.ts'
import { renderConfig, type ResolveSecret } from '../definition/expressions/render.ts'
import { configFieldsOf } from './config-fields.ts'
import { type KnownSecrets, knownWith, noSecrets } from './known-secrets.ts'
import { secretsRefusal, type StepType, takesSecrets } from './step-type.ts'

export type PreparedConfig = {
  /** As the schema of the type gives it: what `execute` takes. */
  config: Record<string, unknown>
  /** Values of the secrets in it. */
  secretValues: readonly string[]
  /** Takes the secrets in it, and those that were known before, out of what is shown. */
  mask: Mask
}

/**
 * Resolves the templates of a config and parses the result. Throws StepFailure with the field and what is wrong with it;
 * the message never contains a value. `known` are values of secrets that may come back from outside in this step.
 */
export async function prepareConfig(
  type: StepType,
  config: Readonly<Record<string, unknown>>,
  scope: Scope,
  resolveSecret: ResolveSecret,
  known: KnownSecrets = noSecrets,
): Promise<PreparedConfig> {
  const { literal, expressions } = configFieldsOf(type)
  const secretValues: string[] = []
  const isTaken = ([name]: [string, unknown]) => literal.has(name) || expressions.has(name)
  const fields = Object.entries(config)
  const taken = Object.fromEntries(fields.filter(isTaken))
  const rendered = await renderConfig(
    Object.fromEntries(fields.filter((field) => !isTaken(field))),
    scope,
    async (secret) => {
      if (!takesSecrets(type)) {
        throw new StepFailure(`The secret "${secret.name}" cannot be used here: ${secretsRefusal}`)
      }
      const value = await resolveSecret(secret)
      secretValues.push(value)
      return value
    },
  ).catch((error: unknown) => {
    if (!(error instanceof ExpressionError)) throw error
    // Without its cause, which may quote a value.
    throw new StepFailure(knownWith(known, secretValues).mask(error.message))
  })
  const { mask } = knownWith(known, secretValues)
  const parsed = type.config.safeParse({ ...rendered, ...taken })
  if (parsed.success) return { config: parsed.data, secretValues, mask }
  const problems = parsed.error.issues.slice(0, 3).map(({ path, message }) => {
    const field = path.map(String).join('.')
    return field === '' ? message : `${field}: ${message}`
  })
  throw new StepFailure(mask(`The config of the step is wrong. ${problems.join(' ')}`))
}
