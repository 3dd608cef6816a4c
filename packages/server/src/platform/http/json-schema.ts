import type { WireShape } from '@bey/contract/base/wire'
import { z } from 'zod'

/** JSON Schema 2020-12, as far as we write it. */
export type JsonSchema = {
  $ref?: string
  title?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
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

/** Schemas that the contract gives a name (`.meta({ id })`), as a document lists them. */
export type NamedSchemas = Record<string, JsonSchema>

/**
 * The JSON Schema of what crosses the wire: names as they are there, without the patterns of formats. Of a reply, what has
 * a name goes into `named`, and is referred to.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  shape: WireShape | undefined,
  io: 'input' | 'output',
  named?: NamedSchemas,
): JsonSchema {
  const metadata = named === undefined ? z.registry<{ id?: string }>() : z.globalRegistry
  const {
    $schema: _dialect,
    $defs = {},
    ...json
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    metadata,
  }) as Raw & { $schema?: string; $defs?: Record<string, Raw> }
  const walk: Walk = { defs: $defs, named: named ?? {}, underWay: new Set() }
  return onWire(json, shape, walk)
}

type Raw = JsonSchema & { pattern?: string }

type Walk = { defs: Readonly<Record<string, Raw>>; named: NamedSchemas; underWay: Set<string> }

/** Names a schema. One that crosses the wire in two spellings has a second name for the second. */
function refer(id: string, walk: Walk, shape: WireShape | undefined): JsonSchema {
  const { defs, named, underWay } = walk
  const def = defs[id]
  if (def === undefined || underWay.has(id)) return { $ref: `#/components/schemas/${id}` }
  underWay.add(id)
  const made = onWire(def, shape, walk)
  underWay.delete(id)
  const isTaken = Object.hasOwn(named, id) && JSON.stringify(named[id]) !== JSON.stringify(made)
  const name = isTaken ? `${id}In${shape === undefined ? 'Camel' : 'Snake'}Case` : id
  named[name] = made
  return { $ref: `#/components/schemas/${name}` }
}

/** A list of fixed length. `items` says nothing new there, but OpenAPI's readers want it wherever there is a list. */
function asTuple(
  result: JsonSchema,
  prefixItems: JsonSchema[],
  shape: WireShape | undefined,
  walk: Walk,
): void {
  result.prefixItems = prefixItems.map((each) => onWire(each, shape, walk))
  result.items = { anyOf: result.prefixItems }
  result.minItems = prefixItems.length
  result.maxItems = prefixItems.length
}

function onWire(schema: Raw, shape: WireShape | undefined, walk: Walk): JsonSchema {
  const name = schema.$ref?.startsWith('#/$defs/') === true ? schema.$ref.slice('#/$defs/'.length) : undefined
  if (name !== undefined && Object.hasOwn(walk.defs, name)) return refer(name, walk, shape)
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
        onWire(property, shape?.[name]?.shape, walk),
      ]),
    )
  }
  if (rest.required) result.required = rest.required.map(nameOf)
  if (rest.prefixItems) asTuple(result, rest.prefixItems, shape, walk)
  else if (rest.items) result.items = onWire(rest.items, shape, walk)
  for (const key of ['anyOf', 'oneOf'] as const) {
    const options = rest[key]
    if (options) result[key] = options.map((option) => onWire(option, shape, walk))
  }
  return result
}
