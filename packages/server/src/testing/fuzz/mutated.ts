import type { Chance } from './valid-value.ts'

/** What no schema expects, beside wrong types: edges of numbers, of text, of dates. A lone surrogate is sent as an escape. */
const odd: readonly unknown[] = [
  null, true, false, 0, -0, -1, 1, 1.5, 1e308, -1e308, 5e-324, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63,
  '', ' ', '\0', 'a\0b', '\ud800', 'a\udc00b', '🙂', 'e\u0301', '\u202e', '\ufeff', '\r\n', "'; --", '%', '%00', '\\', '_', '..', '../..',
  'NaN', 'Infinity', '-0', '1e308', '0x10', '1_000', '９', 'null', 'undefined', '__proto__', 'constructor', 'toString', '${x}', '{{x}}',
  '0000-00-00T00:00:00Z', '2023-02-29T00:00:00Z', '2026-12-31T23:59:60Z', '9999-12-31T23:59:59.999999999Z', '+275760-09-13T00:00:00Z',
  '2026-01-01T00:00:00-23:59', '0001-01-01T00:00:00+14:00', '1970-01-01', '24:00', '(((((', '[', '(a+)+$', 'a'.repeat(64), 'a'.repeat(254),
  [], {}, [[]], [null], { '': '' }, { constructor: { prototype: 1 } },
] // prettier-ignore

/** Part of the values that a change of one field of a JSON value can bring in its place. */
function replacement(value: unknown, chance: Chance): unknown {
  if (typeof value === 'number' && chance.is(0.5))
    return chance.pick([value + 1, value - 1, -value, value * 1e9, value + 0.5, String(value)])
  if (typeof value === 'string' && chance.is(0.5)) {
    return chance.pick([
      `${value}\0`, `${value}\ud800`, value.repeat(50), value.slice(1), value.toUpperCase(), ` ${value} `, [value],
      `${value}${'x'.repeat(10_000)}`, value.replace(/[0-9]/, '9'), `${value}'"`, `${value}🙂`, Number(value), `${value},${value}`,
    ]) // prettier-ignore
  }
  if (Array.isArray(value) && chance.is(0.5))
    return chance.pick([
      [...value, ...value],
      [...value, null],
      Array(300).fill(value[0] ?? 'x'),
      Object.fromEntries(Object.entries(value)),
    ])
  if (chance.is(0.02)) return nested(chance.pick([50, 99, 101, 1_000]))
  return chance.pick(odd)
}

/** One change somewhere in a JSON value: another value, a field less, a field more. The value given is left alone. */
export function mutated(value: unknown, chance: Chance): unknown {
  if (typeof value !== 'object' || value === null || chance.is(0.1)) return replacement(value, chance)
  const entries = Object.entries(value)
  if (!Array.isArray(value) && (entries.length === 0 || chance.is(0.15))) {
    const name = chance.pick([
      'unknown',
      '__proto__',
      'constructor',
      'id',
      'organizationId',
      '',
      'a\0',
      '\ud800',
    ])
    return Object.fromEntries([...entries, [name, chance.pick(odd)]])
  }
  const at = chance.below(entries.length)
  const changed = entries.flatMap(([name, each], index) => {
    if (index !== at) return [[name, each] as const]
    return chance.is(0.15) ? [] : [[name, mutated(each, chance)] as const]
  })
  return Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed)
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value }
  return value
}

/** A value as text: an object as JSON. */
export function textOf(value: unknown): string {
  // Not JSON for numbers: -0 and those that are not finite have no form there.
  return typeof value === 'number' || typeof value === 'string'
    ? String(value)
    : (JSON.stringify(value) ?? '')
}

/** A value as a part of an address, with bytes that are not UTF-8 for half of a surrogate pair. */
export function encodePart(value: unknown): string {
  return textOf(value)
    .slice(0, 3_000)
    .split(/([\ud800-\udfff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])/)
    .map((part) => (part.isWellFormed() ? encodeURIComponent(part) : '%ED%A0%80'))
    .join('')
}
