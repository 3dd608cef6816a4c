import type { JsonSchema } from '../../data/api-reference.ts'

const maxDepth = 6

/** A value that fits a schema: what is required, with defaults where there are any. */
export function exampleOf(schema: JsonSchema, depth = 0): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []).filter((each) => each.type !== 'null')
  if (choice) return depth < maxDepth ? exampleOf(choice, depth + 1) : null
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type
  switch (type) {
    case 'object':
      return depth < maxDepth ? exampleObject(schema, depth) : {}
    case 'array':
      return schema.items && depth < maxDepth ? [exampleOf(schema.items, depth + 1)] : []
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return false
    case 'string':
      return exampleText(schema)
    default:
      return {}
  }
}

function exampleObject(
  { properties = {}, required = [] }: JsonSchema,
  depth: number,
): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => required.includes(name))
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {}, depth + 1)]))
}

function exampleText({ format, minLength = 0 }: JsonSchema): string {
  if (format === 'uuid') return '00000000-0000-7000-8000-000000000000'
  if (format === 'date-time') return '2026-01-01T00:00:00.000Z'
  return minLength > 0 ? 'example'.padEnd(minLength, '-') : ''
}
