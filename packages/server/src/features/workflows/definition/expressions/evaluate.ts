import type { Environment, ParseResult } from '@marcbachmann/cel-js'

import { createEnvironment, linearMatches } from './cel-environment.ts'
import { fromCel, toCel } from './cel-values.ts'
import { ExpressionError } from './expression-error.ts'
import { expressionLimits } from './limits.ts'
import { meter } from './metered-evaluation.ts'
import { renameFormerFields } from './former-fields.ts'
import { replaceCalls, rootsOf } from './syntax.ts'

/** What expressions can name, with values as JSON has them. */
export type Scope = Readonly<Record<string, unknown>>

let environment: Environment | undefined
const programs = new Map<string, ParseResult>()
const maxPrograms = 2_000

/**
 * The value of a CEL expression as JSON. Throws ExpressionError with a sentence where it cannot be read, has no value,
 * takes too long or becomes too large.
 */
export function evaluate(source: string, scope: Scope): unknown {
  const program = parse(source)
  const used = [...rootsOf(program.ast)].filter((name) => scope[name] !== undefined)
  const values = Object.fromEntries(used.map((name) => [name, toCel(scope[name])]))
  try {
    return fromCel(program(values))
  } catch (error) {
    throw error instanceof ExpressionError ? error : explained(error, source, scope)
  }
}

/** A condition. Throws ExpressionError also where the value is neither true nor false. */
export function evaluateCondition(source: string, scope: Scope): boolean {
  const value = evaluate(source, scope)
  if (typeof value === 'boolean') return value
  throw new ExpressionError(`The condition "${source}" has to be true or false, and is ${kindOf(value)}.`)
}

/** Throws ExpressionError. Parsed expressions are kept, for a run evaluates the same ones again and again. */
export function parse(source: string): ParseResult {
  const known = programs.get(source)
  if (known !== undefined) return known
  if (source.trim() === '') throw new ExpressionError('The expression is empty.')
  if (source.length > expressionLimits.chars) {
    throw new ExpressionError(
      `An expression may have ${expressionLimits.chars} characters, and this one has ${source.length}.`,
    )
  }
  const program = parsed(source)
  if (programs.size >= maxPrograms) programs.clear()
  programs.set(source, program)
  return program
}

function parsed(source: string): ParseResult {
  environment ??= createEnvironment()
  try {
    const program = environment.parse(source)
    replaceCalls(program.ast, 'matches', linearMatches)
    renameFormerFields(program.ast)
    const verdict = program.check()
    if (!verdict.valid) throw verdict.error
    meter(program)
    return program
  } catch (error) {
    throw explained(error, source, {})
  }
}

/** What the library says of an error; its summary has no drawing of the place. */
type LibraryError = {
  code?: string
  summary?: string
  message: string
  node?: { start: number; end: number }
  range?: { start: number; end: number }
}

function explained(error: unknown, source: string, scope: Scope): ExpressionError {
  if (error instanceof ExpressionError) return error
  if (error instanceof RangeError) {
    return new ExpressionError('The expression makes a value that is too large.', { cause: error })
  }
  const found: LibraryError = error instanceof Error ? error : { message: String(error) }
  const [line = ''] = (found.summary ?? found.message)
    .replaceAll(linearMatches, 'matches')
    .replaceAll(/dyn<(\w+)>/g, '$1')
    .split('\n')
  if (found.code === 'unknown_variable') {
    return new ExpressionError(unknownName(line.replace('Unknown variable: ', ''), Object.keys(scope)), {
      cause: error,
    })
  }
  const place = found.node && source.slice(found.node.start, found.node.end)
  return new ExpressionError(`${sentence(found.code, line)}${placeText(place, source)}.`, {
    cause: error,
    ...(found.range && { range: found.range }),
  })
}

function sentence(code: string | undefined, line: string): string {
  const text = line.replace(/\.$/, '')
  if (text.startsWith('Exceeded maxDepth')) return 'The expression is nested too deeply'
  if (text.startsWith('Exceeded max')) return `The expression is too long: ${text.replace('Exceeded ', '')}`
  if (code === 'no_such_key') return `There is no "${text.replace(/^No such key: /, '')}"`
  if (code === 'no_such_overload') {
    return `${text.replace(/^no such overload: /, 'These kinds of values do not go together: ')} (convert with string(…), int(…) or double(…))`
  }
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function placeText(place: string | undefined, source: string): string {
  if (place === undefined || place.trim() === '') return ''
  return place === source && source.length > 120 ? '' : `, in "${shortened(place)}"`
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}

/** Says that an expression names something that it does not know. */
export function unknownName(name: string, known: readonly string[]): string {
  const hints: Record<string, string> = {
    item: 'It is known only in a step with foreach.',
    index: 'It is known only in a step with foreach.',
    secrets: 'A secret stands in a template of its own in config: {{ secrets.name }}.',
  }
  const names = known.length > 0 ? `Known here: ${known.join(', ')}.` : 'It has no value here.'
  return `"${name}" is not known here. ${hints[name] ?? names}`
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${shortened(JSON.stringify(value))}`
}
