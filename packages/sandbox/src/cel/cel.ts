import { createRequire } from 'node:module'
import type * as Cel from '@marcbachmann/cel-js'
import { isObject, objectAt, textAt, type Json, type JsonObject } from '../json.ts'
import { addLibrary, linearMatches } from './library.ts'

/** Evaluates with the variables given. Throws CelError. */
export type Program = (variables: Record<string, unknown>) => unknown

/** An expression that cannot be read, or that came to nothing. */
export class CelError extends Error {}

const load = createRequire(import.meta.url)
let loaded: Cel.Environment | undefined

// Loaded with the first expression, and at once because admission waits for it: most sandboxes never see one, and
// the library takes memory that an idle one does without.
export function environment(): Cel.Environment {
  if (loaded) return loaded
  // Node gives the module itself, whose type is the one that an import of it would have.
  const library = load('@marcbachmann/cel-js') as typeof Cel
  loaded = addLibrary(
    new library.Environment({
      unlistedVariablesAreDyn: true,
      homogeneousAggregateLiterals: false,
      enableOptionalTypes: true,
    }),
    library.Optional,
  )
  return loaded
}

const programs = new Map<string, Program>()
const keptAtMost = 1000

function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line.replaceAll(linearMatches, 'matches')
}

/** Makes every `text.matches(pattern)` below a node call the one that takes linear time. */
function replaceMatches(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(replaceMatches)
  if (typeof node !== 'object' || node === null || !('op' in node) || !('args' in node)) return
  const { op, args } = node
  if (!Array.isArray(args)) return
  if (op === 'rcall' && args[0] === 'matches') args[0] = linearMatches
  args.forEach(replaceMatches)
}

/** Reads an expression of the Common Expression Language. Throws CelError when it is none. */
export function compile(expression: string): Program {
  const known = programs.get(expression)
  if (known) return known
  let parsed: ReturnType<Cel.Environment['parse']>
  try {
    parsed = environment().parse(expression)
  } catch (error) {
    throw new CelError(`ERROR: <input>:1:1: Syntax error: ${firstLine(error)}`, { cause: error })
  }
  replaceMatches(parsed.ast)
  const program: Program = (variables) => {
    try {
      return parsed(variables)
    } catch (error) {
      throw new CelError(firstLine(error).replace(/^No such key/, 'no such key'), { cause: error })
    }
  }
  if (programs.size >= keptAtMost) programs.clear()
  programs.set(expression, program)
  return program
}

/** Whether an error says that an expression does not parse. */
export function isParseError(error: unknown): error is Cel.ParseError {
  return error instanceof Error && error.name === 'ParseError'
}

// Names that CEL keeps for itself are reached under another one, as are characters that no identifier has.
const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
const escapes: Record<string, string> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}

function escaped(name: string): string {
  return reserved.has(name)
    ? `__${name}__`
    : name.replaceAll(/__|[.\-/]/g, (found) => escapes[found] ?? found)
}

/** The name by which expressions select a property, or undefined where no escape makes it one. */
export function celName(name: string): string | undefined {
  const made = escaped(name)
  return /^[A-Za-z_]\w*$/.test(made) ? made : undefined
}

// Texts of these formats are values of their own.
const readers: Readonly<Record<string, string>> = {
  date: "timestamp(text + 'T00:00:00Z')",
  'date-time': 'timestamp(text)',
  duration: 'duration(text)',
}

function formatted(text: string, schema: JsonObject | undefined): unknown {
  if (schema?.['type'] !== 'string') return text
  if (schema['format'] === 'byte') return new Uint8Array(Buffer.from(text, 'base64'))
  const reader = readers[textAt(schema, 'format') ?? '']
  return reader === undefined ? text : compile(reader)({ text })
}

/** A value that may be missing, as rules with `optionalOldSelf` see it. */
export function optionalValue(value: unknown): unknown {
  return value === undefined ? compile('optional.none()')({}) : compile('optional.of(value)')({ value })
}

/**
 * JSON as expressions see it: whole numbers are integers unless the schema says otherwise, texts of a format such as
 * `date-time` are what they represent, and properties that the schema names can be selected.
 */
export function celValue(value: Json | undefined, schema?: JsonObject): unknown {
  if (typeof value === 'string') return formatted(value, schema)
  if (typeof value === 'number')
    return Number.isInteger(value) && schema?.['type'] !== 'number' ? BigInt(value) : value
  if (Array.isArray(value)) return value.map((item) => celValue(item, objectAt(schema, 'items')))
  if (!isObject(value)) return value ?? null
  const properties = objectAt(schema, 'properties')
  const additional = objectAt(schema, 'additionalProperties')
  const result: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined
    const name = own === undefined ? key : escaped(key)
    const made = celValue(member, isObject(own) ? own : additional)
    Object.defineProperty(result, name, { value: made, enumerable: true, configurable: true })
  }
  return result
}
