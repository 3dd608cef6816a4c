/**
 * Shape of a value whose declared names are snake case on the wire: an entry for each name that is renamed or
 * has such names below it. Lists have the shape of their elements. What has no entry is passed as it is.
 */
export type WireShape = {
  readonly [camelName: string]: { readonly wire: string; readonly shape?: WireShape }
}

/** Renames declared names for the wire. Keys of maps and of free JSON have no shape and stay as they are. */
export function toWire(value: unknown, shape: WireShape): unknown {
  return rename(value, shape, namesToWire)
}

/** The reverse of `toWire`. */
export function fromWire(value: unknown, shape: WireShape): unknown {
  return rename(value, shape, namesFromWire)
}

type Names = ReadonlyMap<string, { to: string; shape: WireShape | undefined }>

const namesToWire = rememberedNames((camelName, wire) => [camelName, wire])
const namesFromWire = rememberedNames((camelName, wire) => [wire, camelName])

/** What each name of a shape becomes. Kept with the shape: a list of thousands of objects would else build it for each. */
function rememberedNames(
  direction: (camelName: string, wire: string) => [from: string, to: string],
): (shape: WireShape) => Names {
  const known = new WeakMap<WireShape, Names>()
  return (shape) => {
    const kept = known.get(shape)
    if (kept) return kept
    const names = new Map(
      Object.entries(shape).map(([camelName, row]) => {
        const [from, to] = direction(camelName, row.wire)
        return [from, { to, shape: row.shape }] as const
      }),
    )
    known.set(shape, names)
    return names
  }
}

function rename(value: unknown, shape: WireShape, namesOf: (shape: WireShape) => Names): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, shape, namesOf))
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  const names = namesOf(shape)
  const renamed: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const name = names.get(key)
    renamed[name?.to ?? key] = name?.shape ? rename(item, name.shape, namesOf) : item
  }
  return renamed
}

/** Declared names that stand in a value of the wire as the code writes them, `inputSchema` for `input_schema`. */
export function* camelNames(
  value: unknown,
  shape: WireShape,
  path: readonly (string | number)[] = [],
): Generator<{ path: (string | number)[]; wire: string }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* camelNames(item, shape, [...path, index])
    return
  }
  if (value === null || typeof value !== 'object' || value instanceof Date) return
  const names = namesFromWire(shape)
  for (const [key, item] of Object.entries(value)) {
    const row = Object.hasOwn(shape, key) ? shape[key] : undefined
    if (row !== undefined && row.wire !== key) yield { path: [...path, key], wire: row.wire }
    const below = names.get(key)?.shape
    if (below) yield* camelNames(item, below, [...path, key])
  }
}

export function snakeCase(camelName: string): string {
  return camelName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
