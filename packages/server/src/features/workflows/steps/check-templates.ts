import type { DefinitionProblem } from '@bey/contract/workflows/definition'

import {
  checkExpression,
  type ExpressionProblem,
  type Variables,
} from '../definition/expressions/check-expression.ts'
import { ExpressionError } from '../definition/expressions/expression-error.ts'
import { referencesOfExpression } from '../definition/expressions/references.ts'
import { isTemplated, parseTemplate, type SecretReference } from '../definition/expressions/template.ts'

/** An expression or secret that a text names, for anyone who checks whether it exists. */
type Named = { steps: ReadonlySet<string>; inputs: ReadonlySet<string>; secrets: SecretReference[] }

export type TextProblem = Pick<DefinitionProblem, 'message' | 'severity' | 'position'>

/** A text somewhere within a value: what is wrong with its templates, and what they name. */
export type CheckedText = { path: string; problems: TextProblem[]; named: Named }

/** Every text with templates within a value, with its path below `path`. */
export function* checkTemplates(value: unknown, path: string, variables: Variables): Generator<CheckedText> {
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
export function checkNamedExpression(source: string, path: string, variables: Variables): CheckedText {
  const problems = checkExpression(source, variables).map((each) => placed(each, source, 0))
  return { path, problems, named: { ...referencesOfExpression(source), secrets: [] } }
}

function checkText(text: string, path: string, variables: Variables): CheckedText {
  const named = { steps: new Set<string>(), inputs: new Set<string>(), secrets: [] as SecretReference[] }
  const problems: TextProblem[] = []
  try {
    for (const part of parseTemplate(text).parts) {
      if (part.kind === 'secret') named.secrets.push(part.secret)
      if (part.kind !== 'expression') continue
      problems.push(...checkExpression(part.source, variables).map((each) => placed(each, text, part.at)))
      const { steps, inputs } = referencesOfExpression(part.source)
      for (const key of steps) named.steps.add(key)
      for (const name of inputs) named.inputs.add(name)
    }
  } catch (thrown) {
    if (!(thrown instanceof ExpressionError)) throw thrown
    problems.push({ message: thrown.message, severity: 'error' })
  }
  return { path, problems, named }
}

/** A problem of an expression that begins at `at` in a text, with its place in that text. */
function placed({ message, severity, range }: ExpressionProblem, text: string, at: number): TextProblem {
  if (range === undefined) return { message, severity }
  const offset = at + range.start
  const before = text.slice(0, offset)
  const position = {
    offset,
    length: range.end - range.start,
    line: before.split('\n').length,
    column: offset - before.lastIndexOf('\n'),
  }
  return { message, severity, position }
}
