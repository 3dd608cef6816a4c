/** An object of a cluster, of which nothing is certain but that it is JSON. */
export type Fields = Readonly<Record<string, unknown>>

const nothing: Fields = {}

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

export function items(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : []
}

/** A text that says something; empty ones are none. */
export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function labelsOf(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
