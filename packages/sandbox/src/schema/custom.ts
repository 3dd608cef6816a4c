import { clone, equal, isObject, listAt, objectAt, plain, type Json, type JsonObject } from '../json.ts'
import { compilePattern, PatternError } from '../re2.ts'
import { field, type Cause } from '../status-error.ts'
import type { CustomResourceDefinition } from '../types.ts'
import { decode, type Decoded } from './decode.ts'

/** The OpenAPI schema of one version of a custom kind. */
export function schemaOf(definition: CustomResourceDefinition, version: string): JsonObject | undefined {
  const found = definition.spec.versions.find((one) => one.name === version)?.schema?.openAPIV3Schema
  // The schema was decoded as JSONSchemaProps; below it is plain JSON.
  return found
}

function prune(schema: JsonObject, value: Json, path: string, unknown: string[]): Json {
  if (schema['x-kubernetes-embedded-resource'] === true && isObject(value)) {
    const { apiVersion, kind, metadata, ...rest } = value
    const pruned = prune({ ...schema, 'x-kubernetes-embedded-resource': false }, rest, path, unknown)
    const head: JsonObject = {}
    if (apiVersion !== undefined) head['apiVersion'] = apiVersion
    if (kind !== undefined) head['kind'] = kind
    if (metadata !== undefined) head['metadata'] = metadata
    return isObject(pruned) ? { ...head, ...pruned } : pruned
  }
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items')
    return items ? value.map((item, i) => prune(items, item, `${path}[${i}]`, unknown)) : value
  }
  if (!isObject(value)) return value
  const properties = objectAt(schema, 'properties')
  const additional = schema['additionalProperties']
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || additional === true
  const result: JsonObject = {}
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const inner = path ? `${path}.${key}` : key
    const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined
    if (isObject(own)) {
      // Null means absent unless the schema wants to know of it.
      if (member === null && own['nullable'] !== true) continue
      result[key] = prune(own, member, inner, unknown)
    } else if (isObject(additional)) result[key] = prune(additional, member, inner, unknown)
    else if (isOpen) result[key] = member
    else unknown.push(inner)
  }
  return result
}

function applyDefaults(schema: JsonObject, value: Json): void {
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items')
    if (items) for (const item of value) applyDefaults(items, item)
    return
  }
  if (!isObject(value)) return
  for (const [key, own] of Object.entries(objectAt(schema, 'properties') ?? {})) {
    if (!isObject(own)) continue
    if (value[key] === undefined && own['default'] !== undefined) value[key] = clone(own['default'])
    const member = value[key]
    if (member !== undefined) applyDefaults(own, member)
  }
  const additional = objectAt(schema, 'additionalProperties')
  if (!additional) return
  const known = objectAt(schema, 'properties') ?? {}
  for (const [key, member] of Object.entries(value)) {
    if (!Object.hasOwn(known, key) && member !== undefined) applyDefaults(additional, member)
  }
}

/** Reads a custom object: unknown members are dropped as the structural schema says, and defaults filled in. */
export function decodeCustom(
  definition: CustomResourceDefinition,
  version: string,
  body: JsonObject,
): Decoded {
  const { apiVersion, kind, metadata, ...rest } = body
  const head = decode('V1ObjectMeta', isObject(metadata) ? metadata : {})
  const schema = schemaOf(definition, version)
  const unknown = head.unknown.map((path) => `metadata.${path}`)
  const isOpen = !schema || definition.spec.preserveUnknownFields === true
  const pruned = isOpen ? clone(rest) : prune(schema, clone(rest), '', unknown)
  if (schema) applyDefaults(schema, pruned)
  const own = isObject(pruned) ? pruned : {}
  return { value: { apiVersion: apiVersion ?? '', kind: kind ?? '', metadata: head.value, ...own }, unknown }
}

const jsonType = (value: Json): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function isOfType(value: Json, wanted: Json | undefined): boolean {
  const type = jsonType(value)
  return (
    wanted === undefined || wanted === '' || type === wanted || (wanted === 'number' && type === 'integer')
  )
}

function checkNumber(schema: JsonObject, value: number, path: string): Cause[] {
  const { minimum, maximum, multipleOf } = schema
  const causes: Cause[] = []
  if (
    typeof minimum === 'number' &&
    (schema['exclusiveMinimum'] === true ? value <= minimum : value < minimum)
  ) {
    const word = schema['exclusiveMinimum'] === true ? 'greater than' : 'greater than or equal to'
    causes.push(field.invalid(path, value, `${path} in body should be ${word} ${minimum}`))
  }
  if (
    typeof maximum === 'number' &&
    (schema['exclusiveMaximum'] === true ? value >= maximum : value > maximum)
  ) {
    const word = schema['exclusiveMaximum'] === true ? 'less than' : 'less than or equal to'
    causes.push(field.invalid(path, value, `${path} in body should be ${word} ${maximum}`))
  }
  if (typeof multipleOf === 'number' && multipleOf > 0 && !Number.isInteger(value / multipleOf)) {
    causes.push(field.invalid(path, value, `${path} in body should be a multiple of ${multipleOf}`))
  }
  return causes
}

/** Whether a text is as a pattern says; a pattern that RE2 does not know, of an older definition, refuses nothing. */
function isLike(text: string, source: string): boolean {
  try {
    return compilePattern(source).test(text)
  } catch (error) {
    if (error instanceof PatternError) return true
    throw error
  }
}

const time = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

function checkString(schema: JsonObject, value: string, path: string): Cause[] {
  const { minLength, maxLength, pattern } = schema
  const causes: Cause[] = []
  if (typeof minLength === 'number' && Array.from(value).length < minLength) {
    causes.push(field.invalid(path, value, `${path} in body should be at least ${minLength} chars long`))
  }
  if (typeof maxLength === 'number' && Array.from(value).length > maxLength) {
    causes.push({
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${maxLength} bytes`,
      field: path,
    })
  }
  if (schema['format'] === 'date-time' && !(time.test(value) && Number.isFinite(Date.parse(value)))) {
    const text = `${path} in body must be of type date-time: ${JSON.stringify(value)}`
    causes.push(field.invalid(path, value, text))
  }
  if (typeof pattern === 'string' && !isLike(value, pattern)) {
    causes.push(field.invalid(path, value, `${path} in body should match '${pattern}'`))
  }
  return causes
}

function checkMembers(schema: JsonObject, value: JsonObject, path: string): Cause[] {
  const causes: Cause[] = []
  const inner = (key: string) => (path ? `${path}.${key}` : key)
  const required = schema['required']
  for (const key of Array.isArray(required) ? required : []) {
    if (typeof key === 'string' && value[key] === undefined) causes.push(field.required(inner(key)))
  }
  const properties = objectAt(schema, 'properties') ?? {}
  const additional = objectAt(schema, 'additionalProperties')
  for (const [key, member] of Object.entries(value)) {
    const own = Object.hasOwn(properties, key) ? properties[key] : additional
    if (isObject(own) && member !== undefined) causes.push(...checkValue(own, member, inner(key)))
  }
  return causes
}

/** Items of a set, and of a map those with the same keys, may come but once. */
function checkUnique(schema: JsonObject, items: readonly Json[], path: string): Cause[] {
  const type = schema['x-kubernetes-list-type']
  if (type !== 'set' && type !== 'map') return []
  const keys = listAt(schema, 'x-kubernetes-list-map-keys').map(plain)
  const seen = new Set<string>()
  return items.flatMap((item, i) => {
    const id: Json =
      type === 'map' && isObject(item)
        ? Object.fromEntries(keys.map((key) => [key, item[key] ?? null]))
        : item
    const text = JSON.stringify(id)
    if (seen.has(text)) return [field.duplicate(`${path}[${i}]`, id)]
    seen.add(text)
    return []
  })
}

/** What a schema finds wrong with a value, in the words of the API server. */
export function checkValue(schema: JsonObject, value: Json, path: string): Cause[] {
  if (value === null && schema['nullable'] === true) return []
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (typeof value === 'string' || Number.isInteger(value)) return []
    return [
      field.invalid(
        path,
        value,
        `${path} in body must be of type integer or string: ${JSON.stringify(jsonType(value))}`,
      ),
    ]
  }
  if (!isOfType(value, schema['type'])) {
    const wanted = plain(schema['type'])
    const text = `Invalid value: ${JSON.stringify(jsonType(value))}: ${path} in body must be of type ${wanted}: ${JSON.stringify(jsonType(value))}`
    return [{ reason: 'FieldValueTypeInvalid', message: text, field: path || '<nil>' }]
  }
  const causes: Cause[] = []
  const allowed = schema['enum']
  if (Array.isArray(allowed) && !allowed.some((one) => equal(one, value))) {
    causes.push(field.unsupported(path, value, allowed.map(String)))
  }
  if (typeof value === 'number') causes.push(...checkNumber(schema, value, path))
  if (typeof value === 'string') causes.push(...checkString(schema, value, path))
  if (Array.isArray(value)) {
    const { minItems, maxItems } = schema
    if (typeof minItems === 'number' && value.length < minItems) {
      causes.push(field.invalid(path, value.length, `${path} in body should have at least ${minItems} items`))
    }
    if (typeof maxItems === 'number' && value.length > maxItems) {
      causes.push({
        reason: 'FieldValueTooMany',
        message: `Too many: ${value.length}: must have at most ${maxItems} items`,
        field: path,
      })
    }
    causes.push(...checkUnique(schema, value, path))
    const items = objectAt(schema, 'items')
    if (items) value.forEach((item, i) => causes.push(...checkValue(items, item, `${path}[${i}]`)))
  }
  if (isObject(value)) causes.push(...checkMembers(schema, value, path))
  return causes
}
