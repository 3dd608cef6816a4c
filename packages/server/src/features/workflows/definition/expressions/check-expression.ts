import { resultSchema, unknownMembers } from './check-members.ts'
import { parse, unknownName } from './evaluate.ts'
import { ExpressionError } from './expression-error.ts'
import { rootNodesOf } from './syntax.ts'
import type { ValueSchema } from './value-schema.ts'

/** What an expression may name, with what is known of each. */
export type Variables = Readonly<Record<string, ValueSchema>>

/** What is wrong with an expression, with its place as offsets in the text. A warning may be meant so. */
export type ExpressionProblem = {
  message: string
  range?: { start: number; end: number }
  severity: 'error' | 'warning'
}

/** What the expressions of a definition may name; those of an iteration know `item` and `index` as well. */
export const definitionVariables = {
  inputs: {},
  steps: {},
  run: { properties: { id: {}, started_at: {}, trigger: {}, attempt: {}, started_by: {} } },
} satisfies Variables

export function checkExpression(source: string, variables: Variables): ExpressionProblem[] {
  try {
    const { ast } = parse(source)
    const unknown = [...rootNodesOf(ast)].flatMap(([name, { start = 0, end = source.length }]) =>
      Object.hasOwn(variables, name)
        ? []
        : [error(unknownName(name, Object.keys(variables)), { start, end })],
    )
    const members = unknownMembers(ast, source, variables).map(
      ({ message, start, end, isOptional }): ExpressionProblem => ({
        message,
        range: { start, end },
        severity: isOptional ? 'warning' : 'error',
      }),
    )
    return [...unknown, ...members]
  } catch (thrown) {
    if (thrown instanceof ExpressionError) return [error(thrown.message, thrown.range)]
    throw thrown
  }
}

/** What is known of each item of a list that an expression makes. */
export function itemSchema(source: string, variables: Variables): ValueSchema {
  try {
    return resultSchema(parse(source).ast, source, variables)?.items ?? {}
  } catch (thrown) {
    if (thrown instanceof ExpressionError) return {}
    throw thrown
  }
}

function error(message: string, range: ExpressionProblem['range']): ExpressionProblem {
  return { message, severity: 'error', ...(range && { range }) }
}
