import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '../../json.ts'
import { compilePattern, PatternError } from '../../re2.ts'
import { checkValue } from '../../schema/custom.ts'
import { field, type Cause } from '../../status-error.ts'
import { definitions, type CustomResourceDefinition } from '../../types.ts'
import { checkName } from '../names.ts'
import { strategy } from '../strategy.ts'

const scopes = ['Cluster', 'Namespaced']
const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

function isTyped(schema: JsonObject): boolean {
  return (
    textAt(schema, 'type') !== undefined ||
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true
  )
}

function checkPattern(pattern: Json | undefined, path: string): Cause[] {
  if (typeof pattern !== 'string') return []
  try {
    compilePattern(pattern)
    return []
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    const text = `must be a valid regular expression, but isn't: ${error.message}`
    return [field.invalid(path, pattern, text)]
  }
}

/** What keeps a schema from being structural, and defaults that it would not allow itself. */
function checkSchema(schema: JsonObject, path: string, untyped: string): Cause[] {
  const causes: Cause[] = []
  const type = textAt(schema, 'type')
  if (!isTyped(schema)) causes.push(field.required(`${path}.type`, untyped))
  else if (type && !types.includes(type)) causes.push(field.unsupported(`${path}.type`, type, types))
  else if (schema['default'] !== undefined)
    causes.push(...checkValue(schema, schema['default'], `${path}.default`))
  causes.push(...checkPattern(schema['pattern'], `${path}.pattern`))
  const inFields = 'must not be empty for specified object fields'
  for (const [name, own] of Object.entries(objectAt(schema, 'properties') ?? {}))
    if (isObject(own)) causes.push(...checkSchema(own, `${path}.properties[${name}]`, inFields))
  const additional = objectAt(schema, 'additionalProperties')
  if (additional) causes.push(...checkSchema(additional, `${path}.additionalProperties`, inFields))
  const items = objectAt(schema, 'items')
  if (items)
    causes.push(...checkSchema(items, `${path}.items`, 'must not be empty for specified array items'))
  return causes
}

function checkVersion(version: CustomResourceDefinition['spec']['versions'][number], path: string): Cause[] {
  const causes = checkName(version.name, 'label1035', `${path}.name`)
  const place = `${path}.schema.openAPIV3Schema`
  const schema = objectAt(version, 'schema', 'openAPIV3Schema')
  if (!schema) return [...causes, field.required(place, 'schemas are required')]
  const type = textAt(schema, 'type')
  if (type && type !== 'object')
    causes.push(field.invalid(`${place}.type`, type, 'must be object at the root'))
  return [...causes, ...checkSchema(schema, place, 'must not be empty at the root')]
}

function checkDefinition({ metadata, spec }: CustomResourceDefinition): Cause[] {
  const causes: Cause[] = []
  const { group, names, scope, versions } = spec
  if (metadata.name !== `${names.plural}.${group}`) {
    const text = 'must be spec.names.plural+"."+spec.group'
    causes.push(field.invalid('metadata.name', metadata.name, text))
  }
  causes.push(...checkName(group, 'subdomain', 'spec.group'))
  if (!group.includes('.'))
    causes.push(field.invalid('spec.group', group, 'should be a domain with at least one dot'))
  if (!scopes.includes(scope)) causes.push(field.unsupported('spec.scope', scope, scopes))
  if (versions.filter((one) => one.storage).length !== 1) {
    const text = 'must have exactly one version marked as storage version'
    causes.push(
      field.invalid(
        'spec.versions',
        versions.map((one) => one.name),
        text,
      ),
    )
  }
  const seen = new Set<string>()
  for (const [i, version] of versions.entries()) {
    const path = `spec.versions[${i}]`
    if (seen.has(version.name)) causes.push(field.duplicate(`${path}.name`, version.name))
    seen.add(version.name)
    causes.push(...checkVersion(version, path))
  }
  causes.push(...checkName(names.plural, 'label1035', 'spec.names.plural'))
  for (const [i, name] of (names.shortNames ?? []).entries())
    causes.push(...checkName(name, 'label1035', `spec.names.shortNames[${i}]`))
  return [...causes, ...checkName(names.kind.toLowerCase(), 'label1035', 'spec.names.kind')]
}

function checkChange(object: CustomResourceDefinition, old: CustomResourceDefinition): Cause[] {
  const text = 'field is immutable'
  const frozen = [
    ['spec.group', object.spec.group, old.spec.group],
    ['spec.scope', object.spec.scope, old.spec.scope],
    ['spec.names.kind', object.spec.names.kind, old.spec.names.kind],
    ['spec.names.plural', object.spec.names.plural, old.spec.names.plural],
  ] as const
  const causes = frozen.flatMap(([path, value, before]) =>
    value === before ? [] : [field.invalid(path, value, text)],
  )
  const names = object.spec.versions.map((one) => one.name)
  for (const [i, stored] of listAt(old, 'status', 'storedVersions').entries()) {
    if (typeof stored === 'string' && !names.includes(stored))
      causes.push(field.invalid(`status.storedVersions[${i}]`, stored, 'must appear in spec.versions'))
  }
  return causes
}

export const definitionStrategy = strategy(definitions, {
  validate: checkDefinition,
  validateUpdate: checkChange,
})
