import { clone, isObject, type Json, type JsonObject } from '../json.ts'
import { parseQuantity } from '../quantity.ts'
import { badRequest } from '../status-error.ts'
import { fieldType, modelOf, type FieldType } from './models.ts'

export type Decoded = {
  value: JsonObject
  /** Paths of members that the kind does not have; they are left out of `value`. */
  unknown: string[]
}

const goTypes: Record<string, string> = {
  s: 'string',
  i: 'int32',
  l: 'int64',
  f: 'float64',
  b: 'bool',
  t: 'Time',
  u: 'MicroTime',
  y: '[]uint8',
}

function jsonTypeName(value: Json): string {
  if (Array.isArray(value)) return 'array'
  if (isObject(value)) return 'object'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function mismatch(value: Json, path: string, model: string, type: string): never {
  const owner = model.replace(/^[A-Za-z]*V\d+/, '')
  const what = typeof value === 'number' && type.startsWith('int') ? `number ${value}` : jsonTypeName(value)
  throw badRequest(`json: cannot unmarshal ${what} into Go struct field ${owner}.${path} of type ${type}`)
}

function decodeScalar(of: string, value: Json, path: string, model: string): Json {
  if (of === 'x') return clone(value)
  if (of === 'o') {
    if (typeof value === 'string' || Number.isInteger(value)) return value
    return mismatch(value, path, model, 'intstr.IntOrString')
  }
  if (of === 'q') {
    if (typeof value !== 'string' && typeof value !== 'number')
      return mismatch(value, path, model, 'resource.Quantity')
    if (parseQuantity(value) !== undefined) return String(value)
    throw badRequest(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    )
  }
  if (of === 'b' && typeof value === 'boolean') return value
  if (of === 'f' && typeof value === 'number') return value
  if ((of === 'i' || of === 'l') && Number.isInteger(value)) return value
  if ((of === 's' || of === 'y') && typeof value === 'string') return decodeText(of, value)
  if ((of === 't' || of === 'u') && typeof value === 'string') return decodeTime(of, value)
  return mismatch(value, path, model, goTypes[of] ?? of)
}

function decodeText(of: string, value: string): string {
  if (of === 'y' && !/^[A-Za-z0-9+/\s]*={0,2}$/.test(value)) {
    const place = Math.max(0, value.search(/[^A-Za-z0-9+/\s]| /))
    throw badRequest(`illegal base64 data at input byte ${place}`)
  }
  return value
}

function decodeTime(of: string, value: string): string {
  const time = Date.parse(value)
  if (Number.isNaN(time))
    throw badRequest(`parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00"`)
  return of === 't' ? `${new Date(time).toISOString().slice(0, 19)}Z` : value
}

function decodeOne(of: string, value: Json, path: string, model: string, unknown: string[]): Json {
  if (of.length === 1) return decodeScalar(of, value, path, model)
  if (!isObject(value)) return mismatch(value, path, model, of.replace(/^[A-Za-z]*V\d+/, ''))
  return decodeModel(of, value, path, unknown)
}

function decodeField(type: FieldType, value: Json, path: string, model: string, unknown: string[]): Json {
  if (type.container === 'list') {
    if (!Array.isArray(value)) return mismatch(value, path, model, `[]${goTypes[type.of] ?? type.of}`)
    return value.map((item, i) => decodeOne(type.of, item, `${path}[${i}]`, model, unknown))
  }
  if (type.container === 'map') {
    if (!isObject(value)) return mismatch(value, path, model, `map[string]${goTypes[type.of] ?? type.of}`)
    const result: JsonObject = {}
    for (const [key, member] of Object.entries(value)) {
      // Go reads a null string as an empty one.
      if (member === null && type.of === 's') result[key] = ''
      else if (member !== undefined && member !== null)
        result[key] = decodeOne(type.of, member, `${path}.${key}`, model, unknown)
    }
    return result
  }
  return decodeOne(type.of, value, path, model, unknown)
}

// Lists that the API always writes.
const alwaysWritten = new Set(['V1Role.rules', 'V1ClusterRole.rules', 'V1EndpointSlice.ports'])

/** Whether a value is as good as none: an API server forgets lists and maps that are empty. */
function isOmitted({ container, isRequired }: FieldType, value: Json, place: string): boolean {
  if (container === 'none' || isRequired || alwaysWritten.has(place)) return false
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function decodeModel(name: string, value: JsonObject, path: string, unknown: string[]): JsonObject {
  const model = modelOf(name)
  if (!model) return clone(value)
  const result: JsonObject = {}
  for (const [key, member] of Object.entries(value)) {
    const encoded = Object.hasOwn(model, key) ? model[key] : undefined
    const inner = path ? `${path}.${key}` : key
    if (encoded === undefined) unknown.push(inner)
    else if (member !== null && member !== undefined) {
      const type = fieldType(encoded)
      const made = decodeField(type, member, inner, name, unknown)
      if (!isOmitted(type, made, `${name}.${key}`)) result[key] = made
    }
  }
  return result
}

/**
 * Reads a body as the given model: drops nulls, empty lists and maps, and unknown members, turns numbers into quantities where they belong.
 * Throws 400 in Go's words where a value has the wrong type.
 */
export function decode(model: string, body: JsonObject): Decoded {
  const unknown: string[] = []
  return { value: decodeModel(model, body, '', unknown), unknown }
}
