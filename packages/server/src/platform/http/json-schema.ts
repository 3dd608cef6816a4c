import type { WireShape } from '@bey/contract/wire'
import { z } from 'zod'

/** JSON Schema 2020-12, as far as we write it. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** The JSON Schema of what crosses the wire: names as they are there, without the patterns of formats. */
export function jsonSchemaOf(
  schema: z.ZodType,
  shape: WireShape | undefined,
  io: 'input' | 'output',
): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io })
  return onWire(json as JsonSchema & { pattern?: string }, shape)
}

/** A list of fixed length. `items` says nothing new there, but OpenAPI's readers want it wherever there is a list. */
function asTuple(result: JsonSchema, prefixItems: JsonSchema[], shape: WireShape | undefined): void {
  result.prefixItems = prefixItems.map((each) => onWire(each, shape))
  result.items = { anyOf: result.prefixItems }
  result.minItems = prefixItems.length
  result.maxItems = prefixItems.length
}

function onWire(schema: JsonSchema & { pattern?: string }, shape: WireShape | undefined): JsonSchema {
  const { pattern, ...rest } = schema
  // A format says the same, readably.
  const result: JsonSchema = rest.format === undefined && pattern !== undefined ? schema : rest
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete result.minimum
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete result.maximum
  const nameOf = (name: string) => shape?.[name]?.wire ?? name
  if (rest.properties) {
    result.properties = Object.fromEntries(
      Object.entries(rest.properties).map(([name, property]) => [
        nameOf(name),
        onWire(property, shape?.[name]?.shape),
      ]),
    )
  }
  if (rest.required) result.required = rest.required.map(nameOf)
  if (rest.prefixItems) asTuple(result, rest.prefixItems, shape)
  else if (rest.items) result.items = onWire(rest.items, shape)
  if (rest.anyOf) result.anyOf = rest.anyOf.map((option) => onWire(option, shape))
  return result
}
