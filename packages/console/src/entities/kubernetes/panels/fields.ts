/** An object from a cluster, of which nothing is certain but that it is JSON. */
export type Fields = Readonly<Record<string, unknown>>

const nothing: Fields = {}

/** The value as an object; one without fields where it is none. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : nothing
}

/** What stands at a path of field names; undefined where the path ends before. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value
  for (const key of path) {
    const object = fields(current)
    current = Object.hasOwn(object, key) ? object[key] : undefined
  }
  return current
}

/** The objects in a list; none where it is no list. */
export function items(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : []
}

/** The texts in a list. */
export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((each) => text(each) ?? []) : []
}

/** A text, number or boolean as text; null for what is missing, empty or nested. */
export function text(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

/** A number, also where it is written as a text; null for what is none. */
export function figure(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.trim() === '') return null
  const parsed = Number(value)
  return Number.isFinite(parsed) ? parsed : null
}

/** Names and texts of an object such as labels. */
export function entries(value: unknown): readonly (readonly [string, string])[] {
  return Object.entries(fields(value)).flatMap(([key, each]) => {
    const found = typeof each === 'string' ? each : text(each)
    return found === null ? [] : [[key, found] as const]
  })
}
