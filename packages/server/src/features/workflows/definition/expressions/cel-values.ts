import { Optional } from '@marcbachmann/cel-js'

import { ExpressionError } from './expression-error.ts'
import { expressionLimits } from './limits.ts'

/** Values that were converted before: outputs of steps are read by many expressions and never change. */
const converted = new WeakMap<object, unknown>()

/** JSON as expressions see it: whole numbers are integers, objects are maps whose keys cannot collide with a prototype. */
export function toCel(value: unknown, depth = 0): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value !== 'object' || value === null) return value ?? null
  if (value instanceof Date) return value
  const known = converted.get(value)
  if (known !== undefined) return known
  requireDepth(depth)
  const made = Array.isArray(value)
    ? value.map((item) => toCel(item, depth + 1))
    : new Map(
        Object.entries(value).flatMap(([key, member]) =>
          member === undefined ? [] : [[key, toCel(member, depth + 1)] as const],
        ),
      )
  converted.set(value, made)
  return made
}

/** A result as JSON. Throws ExpressionError where JSON has no such value, or the result is too large. */
export function fromCel(value: unknown): unknown {
  const room = { bytes: expressionLimits.resultBytes }
  return plain(value, room, 0)
}

function plain(value: unknown, room: { bytes: number }, depth: number): unknown {
  requireDepth(depth)
  room.bytes -= typeof value === 'string' ? value.length + 3 : 2
  if (room.bytes < 0) {
    throw new ExpressionError(
      `The result is larger than ${expressionLimits.resultBytes / 1_048_576} MB. Select what is needed of it.`,
    )
  }
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'bigint':
      return plainInteger(value)
    case 'number':
      if (Number.isFinite(value)) return value
      throw new ExpressionError(`The result contains ${value}, which JSON cannot express.`)
    case 'object':
      return value === null ? null : plainObject(value, room, depth)
    default:
      throw new ExpressionError('The result contains a value that JSON cannot express.')
  }
}

function plainInteger(value: bigint): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new ExpressionError(`The result contains ${value}, which is too large for JSON. Use string(…).`)
}

function plainObject(value: object, room: { bytes: number }, depth: number): unknown {
  if (Array.isArray(value) || value instanceof Set) {
    return [...value].map((item) => plain(item, room, depth + 1))
  }
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Map) return plainMap([...value], room, depth)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null)
    return plainMap(Object.entries(value), room, depth)
  const { name } = value.constructor
  if (name === 'Duration') return textOf(value)
  if (name === 'UnsignedInt') return plainInteger(BigInt(textOf(value)))
  if (value instanceof Optional) {
    throw new ExpressionError('The result is an optional value. End it with .orValue(…) or .value().')
  }
  throw new ExpressionError('The result contains a value that JSON cannot express.')
}

function plainMap(entries: readonly [unknown, unknown][], room: { bytes: number }, depth: number): object {
  const result: Record<string, unknown> = {}
  for (const [key, member] of entries) {
    const name = String(key)
    room.bytes -= name.length + 3
    // Defined, not assigned: a key may be "__proto__".
    Object.defineProperty(result, name, {
      value: plain(member, room, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return result
}

/** The library exports neither class; both write themselves as text. */
function textOf(value: { toString(): string }): string {
  return value.toString()
}

function requireDepth(depth: number): void {
  if (depth <= expressionLimits.valueDepth) return
  throw new ExpressionError(
    `A value may have ${expressionLimits.valueDepth} lists and objects within each other, and this one has more.`,
  )
}
