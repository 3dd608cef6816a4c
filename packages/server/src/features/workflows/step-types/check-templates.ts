import { checkExpression } from '../expressions/evaluate.ts'
import { ExpressionError } from '../expressions/expression-error.ts'
import { isTemplated, parseTemplate, type SecretReference } from '../expressions/template.ts'
import { referencesOfExpression } from '../expressions/references.ts'

/** An expression or secret that a text names, for anyone who checks whether it exists. */
type Named = { steps: ReadonlySet<string>; inputs: ReadonlySet<string>; secrets: SecretReference[] }

/** A text somewhere within a value: what is wrong with its templates, and what they name. */
export type CheckedText = { path: string; error: string | undefined; named: Named }

/** Every text with templates within a value, with its path below `path`. */
export function* checkTemplates(
  value: unknown,
  path: string,
  variables: readonly string[],
): Generator<CheckedText> {
  if (typeof value === 'string') {
    if (isTemplated(value)) yield checkText(value, path, variables)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    yield* checkTemplates(member, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, variables)
  }
}

/** The same of an expression without braces. */
export function checkNamedExpression(
  source: string,
  path: string,
  variables: readonly string[],
): CheckedText {
  const error = checkExpression(source, variables)
  return { path, error, named: { ...referencesOfExpression(source), secrets: [] } }
}

function checkText(text: string, path: string, variables: readonly string[]): CheckedText {
  const named = { steps: new Set<string>(), inputs: new Set<string>(), secrets: [] as SecretReference[] }
  let error: string | undefined
  try {
    for (const part of parseTemplate(text).parts) {
      if (part.kind === 'secret') named.secrets.push(part.secret)
      if (part.kind !== 'expression') continue
      error ??= checkExpression(part.source, variables)
      const { steps, inputs } = referencesOfExpression(part.source)
      for (const key of steps) named.steps.add(key)
      for (const name of inputs) named.inputs.add(name)
    }
  } catch (thrown) {
    if (!(thrown instanceof ExpressionError)) throw thrown
    error = thrown.message
  }
  return { path, error, named }
}
