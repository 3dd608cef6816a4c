import type { Endpoint } from '@bey/contract'
import { toWire, type WireShape } from '@bey/contract/base/wire'
import { wireShape } from '@bey/contract/base/wire-shape'
import fastJson from 'fast-json-stringify'
import { z } from 'zod'

type Serializer = (body: unknown) => string

const compiled = new WeakMap<Endpoint, Serializer>()

/**
 * The serializer of an endpoint's reply, compiled from its schema. What the schema does not declare is left out, so a
 * column that was selected by accident cannot leave the server. Compiled at its first use, and once in a process: to
 * compile those of all endpoints takes most of the time in which a server starts.
 */
export function replySerializer(endpoint: Endpoint): Serializer {
  return (body) => {
    const serialize = compiled.get(endpoint) ?? compile(endpoint)
    compiled.set(endpoint, serialize)
    return serialize(body)
  }
}

function compile(endpoint: Endpoint): Serializer {
  const { response } = endpoint
  if (!(response instanceof z.ZodType)) return String
  const shape = endpoint.wire && wireShape(response)
  // Without the names of schemas: what is behind a reference would be serialized whole.
  const schema = z.toJSONSchema(response, { target: 'draft-7', io: 'input', metadata: z.registry() })
  const stringify = fastJson(simplify(schema, shape) as fastJson.AnySchema)
  return shape ? (body) => stringify(toWire(body, shape)) : (body) => stringify(body)
}

type Json = { [key: string]: unknown }

/**
 * The same schema without what only validation needs. Unions with null become `nullable` and unions of texts
 * one text, since a union costs a validation per value; properties get their wire names.
 */
function simplify(schema: Json, shape: WireShape | undefined): Json {
  const options = optionsOf(schema)
  if (options) {
    const kept = options.filter((option) => option['type'] !== 'null')
    const [only] = kept
    const simple =
      kept.length === 1 && only
        ? simplify(only, shape)
        : kept.every((option) => option['type'] === 'string')
          ? { type: 'string' }
          : { anyOf: kept.map((option) => simplify(option, shape)) }
    return kept.length < options.length ? { ...simple, nullable: true } : simple
  }
  switch (schema['type']) {
    case 'object':
      return simplifyObject(schema, shape)
    case 'array':
      return { type: 'array', items: simplify((schema['items'] ?? {}) as Json, shape) }
    case 'string':
      return schema['format'] === 'date-time' ? { type: 'string', format: 'date-time' } : { type: 'string' }
    case undefined:
      return {}
    default:
      return { type: schema['type'] }
  }
}

function optionsOf(schema: Json): Json[] | undefined {
  if (Array.isArray(schema['anyOf'])) return schema['anyOf'] as Json[]
  const { type } = schema
  return Array.isArray(type) ? type.map((each: unknown) => ({ ...schema, type: each })) : undefined
}

function simplifyObject(schema: Json, shape: WireShape | undefined): Json {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(
    ([name, property]) => [shape?.[name]?.wire ?? name, simplify(property, shape?.[name]?.shape)] as const,
  )
  const required = ((schema['required'] ?? []) as string[]).map((name) => shape?.[name]?.wire ?? name)
  const additional = schema['additionalProperties']
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties:
      typeof additional === 'object' && additional !== null ? simplify(additional as Json, undefined) : false,
  }
}
