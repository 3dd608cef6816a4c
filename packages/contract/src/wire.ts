/**
 * Shape of a value whose declared names are snake case on the wire: an entry for each name that is renamed or
 * has such names below it. Lists have the shape of their elements. What has no entry is passed as it is.
 */
export type WireShape = {
  readonly [camelName: string]: { readonly wire: string; readonly shape?: WireShape }
}

/** Renames declared names for the wire. Keys of maps and of free JSON have no shape and stay as they are. */
export function toWire(value: unknown, shape: WireShape): unknown {
  return rename(value, shape, (camelName, row) => [camelName, row.wire])
}

/** The reverse of `toWire`. */
export function fromWire(value: unknown, shape: WireShape): unknown {
  return rename(value, shape, (camelName, row) => [row.wire, camelName])
}

type Row = WireShape[string]

function rename(
  value: unknown,
  shape: WireShape,
  names: (camelName: string, row: Row) => [from: string, to: string],
): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, shape, names))
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  const rows = new Map(
    Object.entries(shape).map(([camelName, row]) => {
      const [from, to] = names(camelName, row)
      return [from, { to, shape: row.shape }] as const
    }),
  )
  const renamed: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const row = rows.get(key)
    renamed[row?.to ?? key] = row?.shape ? rename(item, row.shape, names) : item
  }
  return renamed
}

export function snakeCase(camelName: string): string {
  return camelName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
