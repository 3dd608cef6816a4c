import { Environment } from '@marcbachmann/cel-js'
import { RE2JS, RE2JSException } from 're2js'

import { fromCel, toCel } from './cel-values.ts'
import { ExpressionError } from './expression-error.ts'
import { expressionLimits } from './limits.ts'

/** Stands in for the library's `matches`, whose patterns can take for ever and which cannot be replaced. */
export const linearMatches = 'matchesRe2'

type Numeric = bigint | number
type Comparable = Numeric | string

/** A function that expressions have beyond the language's own, for the reference. */
export type ExpressionFunction = { signature: string; description: string }

/** Listed in docs/workflows.md; a test keeps both equal. */
export const expressionFunctions: readonly ExpressionFunction[] = [
  { signature: 'toJson(value)', description: 'The value as JSON text' },
  { signature: 'parseJson(text)', description: 'The value that a JSON text represents' },
  { signature: 'text.replace(from, to)', description: 'Every occurrence of one text by another' },
  { signature: 'text.matches(pattern)', description: 'Whether a regular expression (RE2) is found' },
  { signature: 'text.find(pattern)', description: 'The first match of a regular expression, or ""' },
  { signature: 'base64Encode(text)', description: 'Base64 of the UTF-8 bytes' },
  { signature: 'base64Decode(text)', description: 'The text of base64' },
  { signature: 'urlEncode(text)', description: 'Percent-encoded for a URL' },
  { signature: 'list.sum()', description: 'Sum of numbers' },
  { signature: 'list.min()', description: 'Smallest number or text' },
  { signature: 'list.max()', description: 'Greatest number or text' },
  { signature: 'list.sort()', description: 'In ascending order' },
  { signature: 'list.distinct()', description: 'Without repetitions of texts and numbers' },
  { signature: 'list.flatten()', description: 'Lists within the list taken out, one level' },
]

/** The language of workflows: CEL with optional values, numbers of both kinds together, and the functions above. */
export function createEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: {
      maxAstNodes: expressionLimits.nodes,
      maxDepth: expressionLimits.depth,
      maxListElements: expressionLimits.nodes,
      maxMapEntries: expressionLimits.nodes,
    },
  })
  addTexts(environment)
  addLists(environment)
  addMixedNumbers(environment)
  return environment
}

function addTexts(environment: Environment): void {
  environment
    .registerFunction('toJson(dyn): string', (value: unknown) => JSON.stringify(fromCel(value)))
    .registerFunction('parseJson(string): dyn', (text: string) => toCel(parsedJson(text)))
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      replaced(text, from, to),
    )
    .registerFunction(`string.${linearMatches}(string): bool`, (text: string, pattern: string) =>
      compiled(pattern).test(text),
    )
    .registerFunction('string.find(string): string', (text: string, pattern: string) => {
      const matcher = compiled(pattern).matcher(text)
      return matcher.find() ? (matcher.group() ?? '') : ''
    })
    .registerFunction('base64Encode(string): string', (text: string) => Buffer.from(text).toString('base64'))
    .registerFunction('base64Decode(string): string', (text: string) =>
      Buffer.from(text, 'base64').toString('utf8'),
    )
    .registerFunction('urlEncode(string): string', (text: string) => encodeURIComponent(text.toWellFormed()))
}

function addLists(environment: Environment): void {
  environment
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', (list: Comparable[]) => extreme(list, 'min', (a, b) => a < b))
    .registerFunction('list.max(): dyn', (list: Comparable[]) => extreme(list, 'max', (a, b) => a > b))
    .registerFunction('list.sort(): list', (list: Comparable[]) =>
      list.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
    )
    .registerFunction('list.distinct(): list', (list: unknown[]) => [...new Set(list)])
    .registerFunction('list.flatten(): list', (list: unknown[]) => list.flat())
}

/** JSON has one kind of number, so `0.5 * 2` has to work. */
function addMixedNumbers(environment: Environment): void {
  for (const [left, right] of [
    ['int', 'double'],
    ['double', 'int'],
  ] as const) {
    environment
      .registerOperator(`${left} + ${right}`, (a: Numeric, b: Numeric) => Number(a) + Number(b))
      .registerOperator(`${left} - ${right}`, (a: Numeric, b: Numeric) => Number(a) - Number(b))
      .registerOperator(`${left} * ${right}`, (a: Numeric, b: Numeric) => Number(a) * Number(b))
      .registerOperator(`${left} / ${right}`, (a: Numeric, b: Numeric) => Number(a) / Number(b))
  }
}

/** Many short matches, each replaced by a long text, would make a value far over the limit before it is measured. */
function replaced(text: string, from: string, to: string): string {
  if (from === '') throw new ExpressionError('replace() needs a text to look for.')
  const parts = text.split(from)
  if (text.length + parts.length * to.length > expressionLimits.valueSize * 16) {
    throw new ExpressionError('replace() would make a text that is too long.')
  }
  return parts.join(to)
}

function compiled(pattern: string): RE2JS {
  if (pattern.length > expressionLimits.patternChars) {
    throw new ExpressionError(
      `A regular expression may have ${expressionLimits.patternChars} characters; this one has ${pattern.length}.`,
    )
  }
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    throw new ExpressionError(`"${pattern}" is not a regular expression: ${error.message}`, { cause: error })
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new ExpressionError('parseJson() was given a text that is not JSON.', { cause })
  }
}

function sum(list: readonly Numeric[]): Numeric {
  if (list.every((each) => typeof each === 'bigint'))
    return list.reduce<bigint>((total, each) => total + each, 0n)
  if (list.some((each) => typeof each !== 'bigint' && typeof each !== 'number')) {
    throw new ExpressionError('sum() takes a list of numbers.')
  }
  return list.reduce<number>((total, each) => total + Number(each), 0)
}

function extreme(
  list: readonly Comparable[],
  name: 'min' | 'max',
  isBetter: (a: Comparable, b: Comparable) => boolean,
): Comparable {
  const [first, ...rest] = list
  if (first === undefined) throw new ExpressionError(`${name}() was given an empty list.`)
  return rest.reduce((best, each) => (isBetter(each, best) ? each : best), first)
}
