import { isObject, objectAt, type Json, type JsonObject } from '../json.ts'
import type { Kind } from '../registry/kind.ts'
import { schemaOf } from '../schema/custom.ts'
import { atomicModels, listRule } from '../schema/merge-keys.ts'
import { fieldType, modelOf } from '../schema/models.ts'

/** How a value divides into what can be owned separately. */
export type Shape =
  | { type: 'atom' }
  | { type: 'struct'; member(key: string): Shape }
  | { type: 'list'; keys: readonly string[]; item: Shape; defaults: JsonObject }
  | { type: 'set' }

const atom: Shape = { type: 'atom' }
const open: Shape = { type: 'struct', member: () => open }

const modelShapes = new Map<string, Shape>()

function modelShape(name: string): Shape {
  const known = modelShapes.get(name)
  if (known) return known
  const model = modelOf(name)
  const shape: Shape =
    atomicModels.has(name) || !model
      ? atom
      : {
          type: 'struct',
          member(key) {
            const encoded = Object.hasOwn(model, key) ? model[key] : undefined
            if (encoded === undefined) return atom
            const { container, of } = fieldType(encoded)
            const inner = of.length > 1 ? modelShape(of) : atom
            if (container === 'none') return inner
            if (container === 'map') return { type: 'struct', member: () => inner }
            const rule = listRule(name, key)
            if (rule.apply === undefined) return atom
            if (rule.apply.length === 0) return { type: 'set' }
            return { type: 'list', keys: rule.apply, item: inner, defaults: { protocol: 'TCP' } }
          },
        }
  modelShapes.set(name, shape)
  return shape
}

function schemaShape(schema: JsonObject): Shape {
  if (schema['type'] === 'array') {
    const items = objectAt(schema, 'items') ?? {}
    if (schema['x-kubernetes-list-type'] === 'set') return { type: 'set' }
    const keys = schema['x-kubernetes-list-map-keys']
    if (schema['x-kubernetes-list-type'] === 'map' && Array.isArray(keys)) {
      return { type: 'list', keys: keys.map(String), item: schemaShape(items), defaults: {} }
    }
    return atom
  }
  if (schema['type'] !== 'object' || schema['x-kubernetes-map-type'] === 'atomic') {
    return schema['x-kubernetes-preserve-unknown-fields'] === true ? open : atom
  }
  const properties = objectAt(schema, 'properties') ?? {}
  const additional = objectAt(schema, 'additionalProperties')
  return {
    type: 'struct',
    member(key) {
      const own = Object.hasOwn(properties, key) ? properties[key] : additional
      return isObject(own) ? schemaShape(own) : open
    },
  }
}

export function shapeOf(kind: Kind): Shape {
  if (!kind.definition) return kind.model ? modelShape(kind.model) : open
  const schema = schemaOf(kind.definition, kind.version)
  const body = schema ? schemaShape({ ...schema, type: 'object' }) : open
  const metadata = modelShape('V1ObjectMeta')
  return {
    type: 'struct',
    member: (key) => (key === 'metadata' ? metadata : body.type === 'struct' ? body.member(key) : atom),
  }
}

/** Fields in the form of FieldsV1: `f:` members, `k:` items by key, `v:` items by value, `.` the thing itself. */
export type FieldSet = JsonObject

/** The key that names a list item in FieldsV1. */
export function itemKey(item: Json, keys: readonly string[], defaults: JsonObject): string | undefined {
  if (!isObject(item)) return undefined
  const parts: JsonObject = {}
  for (const key of keys.toSorted()) {
    const value = item[key] ?? defaults[key]
    if (value !== undefined) parts[key] = value
  }
  return `k:${JSON.stringify(parts)}`
}

function fieldsAt(value: Json, shape: Shape): FieldSet {
  if (shape.type === 'struct' && isObject(value)) {
    const set: FieldSet = {}
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) set[`f:${key}`] = fieldsAt(member, shape.member(key))
    }
    return set
  }
  if (shape.type === 'list' && Array.isArray(value)) {
    const set: FieldSet = {}
    for (const item of value) {
      const key = itemKey(item, shape.keys, shape.defaults)
      if (key !== undefined) set[key] = { '.': {}, ...fieldsAt(item, shape.item) }
    }
    return set
  }
  if (shape.type === 'set' && Array.isArray(value)) {
    return Object.fromEntries(value.map((item) => [`v:${JSON.stringify(item)}`, {}]))
  }
  return {}
}

/** Every field that an object has, without identity and bookkeeping. */
export function fieldSetOf(object: JsonObject, shape: Shape): FieldSet {
  const rest = { ...object }
  for (const key of ['apiVersion', 'kind', 'metadata']) delete rest[key]
  const { metadata } = object
  const meta: JsonObject = {}
  for (const [key, value] of Object.entries(isObject(metadata) ? metadata : {})) {
    if (['labels', 'annotations', 'finalizers', 'ownerReferences', 'generateName'].includes(key))
      meta[key] = value
  }
  return fieldsAt({ ...rest, ...(Object.keys(meta).length > 0 ? { metadata: meta } : {}) }, shape)
}

function isLeaf(set: FieldSet): boolean {
  return Object.keys(set).length === 0
}

/** What both sets have; a leaf covers whatever the other has below it. */
export function intersect(a: FieldSet, b: FieldSet): FieldSet {
  const result: FieldSet = {}
  for (const [key, inner] of Object.entries(a)) {
    const other = b[key]
    if (!isObject(inner) || !isObject(other)) continue
    if (isLeaf(inner) && isLeaf(other)) result[key] = {}
    else {
      const both = intersect(inner, other)
      if (!isLeaf(both)) result[key] = both
    }
  }
  return result
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  const result: FieldSet = { ...a }
  for (const [key, inner] of Object.entries(b)) {
    const own = result[key]
    result[key] = isObject(own) && isObject(inner) ? union(own, inner) : inner
  }
  return result
}

/** What `a` has and `b` has not. */
export function subtract(a: FieldSet, b: FieldSet): FieldSet {
  const result: FieldSet = {}
  for (const [key, inner] of Object.entries(a)) {
    const other = b[key]
    if (!isObject(inner)) continue
    if (!isObject(other)) result[key] = inner
    else if (!isLeaf(inner)) {
      const rest = subtract(inner, other)
      if (!isLeaf(rest)) result[key] = rest
    }
  }
  return result
}

/** Every leaf of a set as a path in the words of the API server: `.spec.replicas`. */
export function leafPaths(set: FieldSet, prefix = ''): string[] {
  return Object.entries(set).flatMap(([key, inner]) => {
    if (key === '.') return []
    const step = key.startsWith('f:')
      ? `.${key.slice(2)}`
      : key.startsWith('k:')
        ? `[${keyText(key)}]`
        : `[${key.slice(2)}]`
    const path = prefix + step
    if (!isObject(inner)) return [path]
    const deeper = leafPaths(inner, path)
    return deeper.length > 0 ? deeper : [path]
  })
}

function keyText(key: string): string {
  const parts: unknown = JSON.parse(key.slice(2))
  if (!isObject(parts)) return key
  return Object.entries(parts)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',')
}
