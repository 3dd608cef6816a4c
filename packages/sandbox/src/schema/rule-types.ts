import { celName } from '../cel/cel.ts'
import type { Scope } from '../cel/check.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../json.ts'

const formats: Record<string, string> = {
  byte: 'bytes',
  date: 'google.protobuf.Timestamp',
  'date-time': 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
}

type Objects = Record<string, Record<string, string>>

/** The members that every object has which is one of its own kind. */
const head: JsonObject = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: {
    type: 'object',
    properties: { name: { type: 'string' }, generateName: { type: 'string' } },
  },
}

function objectType(schema: JsonObject, objects: Objects, isWhole: boolean): string {
  const name = `Object${Object.keys(objects).length}`
  const fields: Record<string, string> = {}
  objects[name] = fields
  const properties = { ...objectAt(schema, 'properties'), ...(isWhole ? head : {}) }
  for (const [key, own] of Object.entries(properties)) {
    const type = isObject(own) ? typeOf(own, objects) : undefined
    const field = celName(key)
    if (type !== undefined && field !== undefined) fields[field] = type
  }
  return name
}

/** The type in expressions of what a schema describes; undefined for what rules cannot see. */
function typeOf(schema: JsonObject, objects: Objects, isRoot = false): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true || schema['nullable'] === true) return 'dyn'
  const isWhole = isRoot || schema['x-kubernetes-embedded-resource'] === true
  switch (schema['type']) {
    case 'string':
      return formats[textAt(schema, 'format') ?? ''] ?? 'string'
    case 'integer':
      return 'int'
    case 'number':
      return 'double'
    case 'boolean':
      return 'bool'
    case 'array': {
      const items = objectAt(schema, 'items')
      const type = items && typeOf(items, objects)
      return type && `list<${type}>`
    }
    case 'object': {
      const additional = objectAt(schema, 'additionalProperties')
      if (!additional || isWhole) return objectType(schema, objects, isWhole)
      const type = typeOf(additional, objects)
      return type && `map<string, ${type}>`
    }
    default:
      return undefined
  }
}

/** What the rules of a structural schema can refer to. `isRoot`: it describes a whole object of its kind. */
export function ruleScope(schema: JsonObject, isRoot: boolean, isOldOptional: boolean): Scope {
  const objects: Objects = {}
  const self = typeOf(schema, objects, isRoot) ?? 'dyn'
  return { variables: { self, oldSelf: isOldOptional ? `optional<${self}>` : self }, objects }
}
