import { isObject, type Json } from '../json.ts'
import { field, StatusError } from '../status-error.ts'

/** A JSON value as Go prints one with `%+v`: `map[spec:map[replicas:x]]`. */
function goText(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (!isObject(value)) return String(value)
  const keys = Object.keys(value).toSorted()
  return `map[${keys.map((key) => `${key}:${goText(value[key])}`).join(' ')}]`
}

const goKinds: Record<string, string> = { number: 'int64', object: 'map', array: 'slice' }
const scalars = ['bool', 'float64', 'int32', 'int64', 'string']

/** What the conversion of a strategic patch says where the decoder of JSON says that it cannot unmarshal. */
function conversionText(message: string): string {
  const [, found = '', type = ''] = /unmarshal (\S+).* of type (.+)$/.exec(message) ?? []
  const kind = goKinds[found] ?? found
  if (scalars.includes(type)) return `unrecognized type: ${type}`
  if (type.startsWith('[]')) return `cannot restore slice from ${kind}`
  if (type.startsWith('map[')) return `cannot restore map from ${kind}`
  return /^\w+$/.test(type) ? `cannot restore struct from: ${kind}` : message
}

/**
 * The refusal of a patch after which the object is none of its kind any more: 422, as the API server says it. `message`
 * is what is wrong with the patched object. Of a strategic patch the patch is shown, of others the object.
 */
export function unfitPatch(message: string, patch: Json, patched: Json, isStrategic: boolean): StatusError {
  const cause = isStrategic
    ? field.invalid('patch', goText(patch), conversionText(message))
    : field.invalid('patch', JSON.stringify(patched), message)
  const text = ` "" is invalid: patch: ${cause.message}`
  return new StatusError(422, 'Invalid', text, { causes: [cause] })
}
