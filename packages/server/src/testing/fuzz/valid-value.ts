import { z } from 'zod'

/** A number from 0 to 1, and how to choose with it. */
export type Chance = {
  next(): number
  /** A whole number from 0 to below `count`. */
  below(count: number): number
  pick<T>(list: readonly T[]): T
  /** True in `share` of all cases, from 0 to 1. */
  is(share: number): boolean
}

/** Ids of things that exist: texts of numbers and UUIDs. */
export type Ids = { numeric: readonly string[]; uuid: readonly string[] }

export function chanceOf(next: () => number): Chance {
  const below = (count: number) => Math.floor(next() * count)
  return {
    next,
    below,
    // The lists of this folder are never empty.
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    is: (share) => next() < share,
  }
}

/** Deeper, optional fields are left out and lists are empty, so that schemas of trees end. */
const maxDepth = 7

/** A value that fits most of a schema; refinements may refuse it. Addresses in it lead to this machine alone. */
export function validValue(schema: z.ZodType, chance: Chance, ids: Ids, depth = 0): unknown {
  // zod types the inside of a schema as its core type, of which z.ZodType is the only kind that the contract builds.
  const inner = (part: unknown) => validValue(part as z.ZodType, chance, ids, depth + 1)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return depth > maxDepth || chance.is(0.4) ? undefined : inner(schema.unwrap())
  if (schema instanceof z.ZodNullable)
    return depth > maxDepth || chance.is(0.3) ? null : inner(schema.unwrap())
  if (schema instanceof z.ZodReadonly) return inner(schema.unwrap())
  if (schema instanceof z.ZodLazy) return inner(schema.unwrap())
  if (schema instanceof z.ZodPipe) return inner(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
  if (schema instanceof z.ZodObject) {
    const entries = Object.entries(schema.shape).map(([name, part]) => [name, inner(part)] as const)
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }
  if (schema instanceof z.ZodArray) {
    const count = depth > maxDepth ? 0 : chance.below(3)
    return Array.from({ length: Math.max(count, smallestLengthOf(schema)) }, () => inner(schema.element))
  }
  if (schema instanceof z.ZodTuple) return schema.def.items.map(inner)
  if (schema instanceof z.ZodUnion) return inner(chance.pick(schema.options))
  if (schema instanceof z.ZodRecord) {
    const names = Array.from({ length: chance.below(3) }, () => String(inner(schema.keyType)))
    return Object.fromEntries(names.map((name) => [name, inner(schema.valueType)]))
  }
  if (schema instanceof z.ZodLiteral) return chance.pick([...schema.values])
  if (schema instanceof z.ZodEnum) return chance.pick(schema.options)
  if (schema instanceof z.ZodBoolean) return chance.is(0.5)
  if (schema instanceof z.ZodNumber) return numberOf(schema, chance, ids)
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return textOf(schema, chance, ids)
  if (schema instanceof z.ZodNull) return null
  return chance.pick<unknown>([null, true, 7, 'text', ['a', 1], { key: 'value' }])
}

function numberOf(schema: z.ZodNumber, chance: Chance, ids: Ids): number {
  const least = Math.max(schema.minValue ?? 0, -1e9)
  const most = Math.min(schema.maxValue ?? 1_000, 2_147_483_647)
  if (most === 2_147_483_647 && ids.numeric.length > 0 && chance.is(0.7))
    return Number(chance.pick(ids.numeric))
  const number = chance.pick([least, most, least + chance.next() * (most - least), least + chance.below(10)])
  return schema.format === 'safeint' ? Math.round(number) : number
}

const uuids = ['00000000-0000-0000-0000-000000000000', '01900000-0000-7000-8000-000000000001']

/** Texts of every form that the contract knows. A schema takes those that it accepts. */
const texts = [
  'name', 'a', 'some text', 'Größe 1 – 🙂', 'x'.repeat(63), 'db-password', 'default', 'KEY', 'a.b/c', 'v1', 'pods',
  'ConfigMap', '1', '0', '42', '1000', '-1', '1.5', '100m', '1Gi', '5m', '1h', '1d', '30s', 'PT1H', 'true', 'false',
  '2026-01-31', '2026-02', '2026-01-31T23:59:59.999Z', '2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z', '2024-02-29T12:00:00+14:00', '23:59', '00:00', 'UTC', 'Europe/Berlin', '* * * * *', '0 3 * * 1',
  'ada@example.com', 'http://127.0.0.1:1/', 'https://127.0.0.1:1/x?y=z', 'https://localhost:1/', 's3://bucket/key',
  '127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', 'example.com', 'localhost', '*', '/', '/tmp', 'select 1', 'up', 'rate(up[5m])',
  'app=web,tier!=db', 'metadata.name=x', 'a == 1', 'kind:cluster', 'is:failing', 'cluster:1', 'sha256:00', 'c2VhbGVk',
  '123456', 'A1B2-C3D4', '#aabbcc', '{}', '[]', '{"a":1}', 'a: 1\nb: [2]\n', 'KEY=value\n', 'Correct-Horse-Battery-9',
] as const // prettier-ignore

const fitting = new WeakMap<z.ZodType, string[]>()

function textOf(schema: z.ZodType, chance: Chance, ids: Ids): string {
  let fit = fitting.get(schema)
  if (fit === undefined) {
    fit = [...texts, ...uuids, ''].filter((text) => schema.safeParse(text).success)
    fitting.set(schema, fit)
  }
  const isUuid = fit.length > 0 && fit.every((text) => uuids.includes(text))
  if (isUuid && ids.uuid.length > 0 && chance.is(0.9)) return chance.pick(ids.uuid)
  if (ids.uuid.length > 0 && chance.is(0.1)) return chance.pick([...ids.uuid, ...ids.numeric])
  return fit.length > 0 ? chance.pick(fit) : chance.pick(texts)
}

function smallestLengthOf(schema: z.ZodArray): number {
  const empty = schema.safeParse([])
  return empty.success || !empty.error.issues.some(({ code }) => code === 'too_small') ? 0 : 1
}
