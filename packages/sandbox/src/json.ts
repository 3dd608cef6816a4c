/** JSON values as they travel and rest in the store. */
export type Json = string | number | boolean | null | Json[] | JsonObject
export type JsonObject = { [key: string]: Json | undefined }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A deep copy; much quicker than structuredClone for plain JSON. Undefined members are dropped. */
export function clone<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const copy: unknown[] = Array.from({ length: value.length })
    for (let i = 0; i < value.length; i++) copy[i] = clone(value[i])
    // The copy has the shape of its original by construction.
    return copy as T
  }
  const copy: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    // A member named __proto__ is data here, never the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: clone(member), enumerable: true })
    else copy[key] = clone(member)
  }
  return copy as T
}

/** Deep equality of JSON; a missing member equals an undefined one, order of members is irrelevant. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i])) return false
    return true
  }
  if (Array.isArray(b)) return false
  const left: Record<string, unknown> = a as Record<string, unknown>
  const right: Record<string, unknown> = b as Record<string, unknown>
  for (const key of Object.keys(left)) if (!equal(left[key], right[key])) return false
  for (const key of Object.keys(right)) if (right[key] !== undefined && left[key] === undefined) return false
  return true
}

/** The value at a path of member names, or undefined. */
export function at(value: unknown, ...path: string[]): Json | undefined {
  let here: unknown = value
  for (const step of path) {
    if (!isObject(here)) return undefined
    here = here[step]
  }
  // Everything below a JSON value is JSON.
  return here as Json | undefined
}

export function textAt(value: unknown, ...path: string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(value: unknown, ...path: string[]): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : undefined
}

export function objectAt(value: unknown, ...path: string[]): JsonObject | undefined {
  const found = at(value, ...path)
  return isObject(found) ? found : undefined
}

export function listAt(value: unknown, ...path: string[]): Json[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** A value as text for a message or a comparison: strings as they are, everything else as JSON. */
export function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Writes a value at a path, making the objects on the way; undefined removes. */
export function put(target: JsonObject, path: string[], value: Json | undefined): void {
  let here = target
  for (const step of path.slice(0, -1)) {
    const next = here[step]
    if (isObject(next)) here = next
    else {
      const made: JsonObject = {}
      here[step] = made
      here = made
    }
  }
  const last = path.at(-1)
  if (last === undefined) return
  if (value === undefined) delete here[last]
  else here[last] = value
}

/** JSON with the members of every object in order, so that equal values have equal text. */
export function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${stable(value[key])}`)
  return `{${members.join(',')}}`
}
