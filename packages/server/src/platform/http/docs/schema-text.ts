import type { JsonSchema } from '../json-schema.ts'

/** A schema as people read types: `{ id: integer (1 to 2147483647), name?: text }`, indented. */
export function schemaText(schema: JsonSchema, indent = ''): string {
  const { properties, items, prefixItems, anyOf, $ref } = schema
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (properties) return objectText(schema, indent)
  if (prefixItems) return `[${prefixItems.map((each) => schemaText(each, indent)).join(', ')}]`
  if (items)
    return `list of ${schemaText(items, indent)}${boundsText(schema.minItems, schema.maxItems, ' items')}`
  if (anyOf) return anyOf.map((option) => schemaText(option, indent)).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (typeof schema.additionalProperties === 'object') {
    return `map of ${schemaText(schema.additionalProperties, indent)}`
  }
  return simpleText(schema)
}

function objectText({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${inner}${name}${mark}: ${schemaText(property, inner)}${defaultText(property)}`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`
}

function simpleText(schema: JsonSchema): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'anything']
  const names = types.map((type) => (type === 'string' ? (schema.format ?? 'text') : type)).join(' or ')
  return `${names}${boundsText(schema.minimum, schema.maximum, '')}${boundsText(schema.minLength, schema.maxLength, ' characters')}`
}

function boundsText(min: number | undefined, max: number | undefined, unit: string): string {
  if (min === undefined && max === undefined) return ''
  if (max === undefined) return ` (at least ${min}${unit})`
  return min === undefined ? ` (at most ${max}${unit})` : ` (${min} to ${max}${unit})`
}

function defaultText({ default: value }: JsonSchema): string {
  return value === undefined ? '' : ` = ${JSON.stringify(value)}`
}

/** A value that fits the schema's required fields, for examples. */
export function exampleOf(schema: JsonSchema, name = ''): unknown {
  const { properties, required = [], items, prefixItems, anyOf, type } = schema
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (properties) {
    const shown = required.length > 0 ? required : Object.keys(properties)
    return Object.fromEntries(shown.map((key) => [key, exampleOf(properties[key] ?? {}, key)]))
  }
  if (prefixItems) return prefixItems.map((each) => exampleOf(each, name))
  if (items) return [exampleOf(items, name)]
  if (anyOf?.[0]) return exampleOf(anyOf[0], name)
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (schema.format === 'uuid') return '0198c0de-0000-7000-8000-000000000000'
  if (name === 'email') return 'ada@example.com'
  return name === 'password' ? '…' : name
}
