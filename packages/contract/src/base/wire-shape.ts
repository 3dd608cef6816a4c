import { z } from 'zod'
import type { WireShape } from './wire.ts'
import { snakeCase } from './wire.ts'

/** The wire shape of a zod schema: every declared property, down through lists, options and objects, but no records. */
export function wireShape(schema: z.ZodType): WireShape | undefined {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray) return wireShape(inner.element as z.ZodType)
  if (!(inner instanceof z.ZodObject)) return undefined
  const entries = Object.entries(inner.shape).flatMap(([name, property]) => {
    const shape = wireShape(property as z.ZodType)
    const wire = snakeCase(name)
    return wire === name && !shape ? [] : [[name, shape ? { wire, shape } : { wire }] as const]
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

// The casts here and above: zod types the inside of a wrapper as its core type, of which z.ZodType is the only kind we build.
function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType)
  }
  return schema
}
