import type { JsonSchema } from '../json-schema.ts'
import type { OpenApi } from '../openapi.ts'

/**
 * An OpenAPI document as what its clients rely on, a line for each: operations, what they take (`>`) and what they answer
 * (`<`). A name that ends in `!` is required. Types of one place are alternatives: `integer|null`, `"a"|"b"`.
 */
export function apiLines({ paths, components }: Pick<OpenApi, 'paths' | 'components'>): string[] {
  const lines: string[] = []
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path}`
      lines.push(name)
      for (const parameter of operation.parameters) {
        if (parameter.in === 'header') continue
        addValue(
          lines,
          `${name} > ${parameter.in}.${parameter.name}${mark(parameter.required)}`,
          parameter.schema,
        )
      }
      const { requestBody } = operation
      const body = requestBody?.content['application/json']?.schema
      if (requestBody && body) addValue(lines, `${name} > body${mark(requestBody.required)}`, body)
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (!status.startsWith('2')) continue
        const entries = Object.entries(content ?? {})
        if (entries.length === 0) lines.push(`${name} < ${status}: nothing`)
        for (const [mediaType, { schema }] of entries)
          addValue(lines, `${name} < ${status} ${mediaType}`, schema)
      }
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) addValue(lines, `${name} < `, schema)
  return [...new Set(lines)].toSorted()
}

const mark = (isRequired: boolean) => (isRequired ? '!' : '')

function addValue(lines: string[], path: string, schema: JsonSchema): void {
  lines.push(`${path}: ${[...new Set(typesOf(schema))].toSorted().join('|')}`)
  const objects = alternativesOf(schema).filter(({ properties }) => properties)
  for (const each of alternativesOf(schema)) {
    // A request may leave out what one of several alternatives requires, by choosing another one.
    const isChoice = path.includes(' > ') && objects.length > 1
    const required = new Set(
      (each.required ?? []).filter(
        (name) => !isChoice || objects.every((object) => object.required?.includes(name)),
      ),
    )
    for (const [name, property] of Object.entries(each.properties ?? {}))
      addValue(lines, `${path}.${name}${mark(required.has(name))}`, property)
    if (each.items) addValue(lines, `${path}[]`, each.items)
    const { additionalProperties: others } = each
    if (typeof others === 'object' && Object.keys(others).length > 0) addValue(lines, `${path}{}`, others)
  }
}

function alternativesOf(schema: JsonSchema): JsonSchema[] {
  const options = schema.anyOf ?? schema.oneOf
  return options ? options.flatMap(alternativesOf) : [schema]
}

function typesOf(schema: JsonSchema): string[] {
  return alternativesOf(schema).flatMap(({ $ref, const: fixed, enum: values, type }) => {
    if ($ref !== undefined) return [$ref.replace('#/components/schemas/', '#')]
    if (values) return values.map((value) => JSON.stringify(value))
    if (fixed !== undefined) return [JSON.stringify(fixed)]
    return type === undefined ? ['anything'] : [type].flat()
  })
}
