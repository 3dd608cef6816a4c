import type { FieldPath } from './field-owners.ts'
import { isFree } from './text-problem.ts'
import type { Free } from './text-problem.ts'

/** What of an OpenAPI v3 schema the editor reads. */
export interface Schema {
  $ref?: string
  allOf?: readonly Schema[]
  type?: string
  format?: string
  description?: string
  default?: unknown
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema | boolean
  items?: Schema
  required?: readonly string[]
  minimum?: number
  maximum?: number
  pattern?: string
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-int-or-string'?: boolean
}

/** The schemas of one group and version, as the cluster publishes them. */
export interface SchemaSet {
  schemas: Readonly<Record<string, Schema>>
  /** By kind: the name of its schema. */
  kinds: Readonly<Record<string, string>>
}

/** Keeps of an OpenAPI v3 document what the editor needs: its paths are most of it. Parses at the edge; never throws. */
export function schemaSet(document: unknown, group: string, version: string): SchemaSet {
  const components = isFree(document) && isFree(document['components']) ? document['components'] : {}
  const schemas = isFree(components['schemas']) ? components['schemas'] : {}
  const kinds: Record<string, string> = {}
  for (const [name, schema] of Object.entries(schemas)) {
    const marks = isFree(schema) ? schema['x-kubernetes-group-version-kind'] : undefined
    for (const mark of Array.isArray(marks) ? marks : []) {
      if (!isFree(mark) || mark['group'] !== group || mark['version'] !== version) continue
      if (typeof mark['kind'] === 'string') kinds[mark['kind']] = name
    }
  }
  return { schemas: asSchemas(schemas), kinds }
}

/** The API server publishes schemas in the shape above; unknown keywords are ignored, wrong types find no property. */
function asSchemas(schemas: Free): Readonly<Record<string, Schema>> {
  return schemas as Readonly<Record<string, Schema>>
}

/** Follows references; what stands beside one, such as its description, wins. */
export function resolveSchema(set: SchemaSet, schema: Schema | undefined, depth = 0): Schema | undefined {
  if (!schema || depth > 20) return schema
  const target = schema.$ref ?? (schema.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined)
  if (target === undefined) return schema
  const found = resolveSchema(set, set.schemas[target.split('/').at(-1) ?? ''], depth + 1)
  const { $ref: _ref, allOf: _allOf, ...beside } = schema
  // The default of a reference is an empty object, which says nothing.
  const { default: _default, ...said } = beside
  return { ...found, ...said }
}

/** The schema of a kind; undefined where the cluster does not describe it. */
export function schemaOfKind(set: SchemaSet, kind: string): Schema | undefined {
  const name = set.kinds[kind]
  return name === undefined ? undefined : resolveSchema(set, set.schemas[name])
}

/** The schema of a field, or undefined where the schema does not know it. */
export function schemaAt(set: SchemaSet, kind: string, path: FieldPath): Schema | undefined {
  let schema = schemaOfKind(set, kind)
  for (const step of path) schema = stepInto(set, schema, step)
  return schema
}

export function stepInto(
  set: SchemaSet,
  schema: Schema | undefined,
  step: string | number,
): Schema | undefined {
  if (!schema) return undefined
  if (typeof step === 'number') return resolveSchema(set, schema.items)
  const own =
    schema.properties && Object.hasOwn(schema.properties, step) ? schema.properties[step] : undefined
  if (own) return resolveSchema(set, own)
  const { additionalProperties } = schema
  return typeof additionalProperties === 'object' ? resolveSchema(set, additionalProperties) : undefined
}

/** Whether any key may stand in a value of this schema. */
export function isOpen(schema: Schema): boolean {
  return (
    schema.additionalProperties !== undefined ||
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema.properties === undefined
  )
}

/** The type in a word: "integer", "list of strings", "integer or string". */
export function typeText(set: SchemaSet, schema: Schema): string {
  if (isIntOrString(schema)) return 'integer or string'
  if (schema.type === 'array') {
    const items = resolveSchema(set, schema.items)
    return `list of ${items?.type ?? 'value'}s`
  }
  if (schema.type === undefined) return schema.properties ? 'object' : 'any value'
  return schema.type === 'object' && typeof schema.additionalProperties === 'object' ? 'map' : schema.type
}

export function isIntOrString(schema: Schema): boolean {
  return schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string'
}

/** `apps/v1` as group and version; the core group is empty. */
export function groupVersion(apiVersion: string): { group: string; version: string } {
  const [first = '', second] = apiVersion.split('/')
  return second === undefined ? { group: '', version: first } : { group: first, version: second }
}
