import { z } from 'zod'

import type { StepType } from './step-type.ts'

/** What the schema of a type says of its fields beyond their shape. */
export type ConfigFields = {
  /** Taken as they stand. */
  literal: ReadonlySet<string>
  /** CEL expressions without braces, one or several by name, with the variables that they may name. */
  expressions: ReadonlyMap<string, readonly string[]>
}

const known = new WeakMap<StepType, ConfigFields>()

export function configFieldsOf(type: StepType): ConfigFields {
  const found = known.get(type) ?? readFields(configSchemaOf(type))
  known.set(type, found)
  return found
}

/** The config of a type as JSON Schema, as people write it: what has a default may be left out. */
export function configSchemaOf(type: StepType): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type.config, {
    io: 'input',
    unrepresentable: 'any',
  })
  return schema
}

type FieldSchema = { 'x-literal'?: unknown; 'x-expression'?: unknown }

function readFields(schema: Record<string, unknown>): ConfigFields {
  // Made by zod from an object.
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, FieldSchema>)
  return {
    literal: new Set(properties.flatMap(([name, field]) => (field['x-literal'] === true ? [name] : []))),
    expressions: new Map(
      properties.flatMap(([name, field]) => {
        const variables = field['x-expression']
        return Array.isArray(variables) ? [[name, variables.map(String)] as const] : []
      }),
    ),
  }
}
