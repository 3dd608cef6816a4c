import type { Environment } from '@marcbachmann/cel-js'
import { Cidr, IpAddress } from './ip-address.ts'

/** Carries the functions of `sets`. */
class Sets {}

const spelled: Record<string, (value: unknown, digits: number) => string> = {
  s: (value) => shown(value),
  d: (value) => shown(value),
  f: (value, digits) => Number(value).toFixed(digits),
  e: (value, digits) =>
    Number(value)
      .toExponential(digits)
      .replace(/e([+-])(\d)$/, 'e$10$2'),
  b: (value) => whole(value).toString(2),
  o: (value) => whole(value).toString(8),
  x: (value) => (typeof value === 'string' ? Buffer.from(value).toString('hex') : whole(value).toString(16)),
  X: (value) => spelled['x']?.(value, 0).toUpperCase() ?? '',
}

function whole(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  throw new Error(`error during formatting: only integers, bools, or strings can be formatted as numbers`)
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`
  if (value === null) return 'null'
  if (value instanceof Map) return braces([...value])
  if (value instanceof Date) return value.toISOString()
  if (value instanceof IpAddress || value instanceof Cidr) return value.toString()
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    return braces(Object.entries(value))
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  throw new Error('error during formatting: no such clause for this type')
}

function braces(entries: [unknown, unknown][]): string {
  const parts = entries.map(([key, member]) => `${shown(key)}: ${shown(member)}`)
  return `{${parts.toSorted().join(', ')}}`
}

function format(text: string, values: readonly unknown[]): string {
  let at = 0
  return text.replaceAll(/%(?:(%)|(?:\.(\d{1,2}))?([a-zA-Z]?))/g, (_all, percent, digits, kind: string) => {
    if (percent) return '%'
    const spell = spelled[kind]
    if (!spell) throw new Error(`could not parse formatting clause: unrecognized formatting clause "${kind}"`)
    if (at >= values.length) throw new Error(`index ${at} out of range`)
    return spell(values[at++], digits === undefined ? 6 : Number(digits))
  })
}

function charAt(text: string, index: bigint): string {
  if (index < 0n || index > BigInt(text.length)) throw new Error(`index out of range: ${index}`)
  return text.charAt(Number(index))
}

function replace(text: string, from: string, to: string, most = -1n): string {
  if (most < 0n) return text.replaceAll(from, () => to)
  let result = text
  let at = 0
  for (let i = 0n; i < most; i += 1n) {
    const found = result.indexOf(from, at)
    if (found < 0) break
    result = result.slice(0, found) + to + result.slice(found + from.length)
    at = found + to.length
  }
  return result
}

const holds = (list: readonly unknown[], wanted: readonly unknown[]) =>
  wanted.every((one) => list.includes(one))

/** The functions for texts and sets of Kubernetes' expressions that the language's library does not bring. */
export function addTextLibrary(environment: Environment): Environment {
  return environment
    .registerFunction('string.charAt(int): string', charAt)
    .registerFunction('string.replace(string, string): string', replace)
    .registerFunction('string.replace(string, string, int): string', replace)
    .registerFunction('string.format(list): string', format)
    .registerType('Sets', { ctor: Sets, fields: {} })
    .registerConstant('sets', 'Sets', new Sets())
    .registerFunction('Sets.contains(list, list): bool', (_self: Sets, a: unknown[], b: unknown[]) =>
      holds(a, b),
    )
    .registerFunction(
      'Sets.equivalent(list, list): bool',
      (_self: Sets, a: unknown[], b: unknown[]) => holds(a, b) && holds(b, a),
    )
    .registerFunction('Sets.intersects(list, list): bool', (_self: Sets, a: unknown[], b: unknown[]) =>
      a.some((one) => b.includes(one)),
    )
}
