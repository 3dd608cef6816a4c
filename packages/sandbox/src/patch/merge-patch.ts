import { clone, isObject, type Json, type JsonObject } from '../json.ts'

/** Applies a JSON Merge Patch (RFC 7386) to a copy. */
export function applyMergePatch(document: JsonObject, patch: JsonObject): JsonObject {
  const result: JsonObject = { ...document }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else if (isObject(value)) {
      const old: Json | undefined = result[key]
      result[key] = applyMergePatch(isObject(old) ? old : {}, value)
    } else if (value !== undefined) result[key] = clone(value)
  }
  return result
}
