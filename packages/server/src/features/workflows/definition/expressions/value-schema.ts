/**
 * What is known of a value before it is there, as JSON Schema says it. With `properties` it has these members and no
 * others, unless `additionalProperties` says so; without, anything may be in it.
 */
export type ValueSchema = {
  readonly properties?: Readonly<Record<string, ValueSchema>>
  readonly additionalProperties?: boolean | ValueSchema
  readonly items?: ValueSchema
}

/** A member of a value: what is known of it, or `missing` where the value cannot have it. */
export function memberSchema(
  schema: ValueSchema | undefined,
  name: string,
): ValueSchema | 'missing' | undefined {
  if (schema?.properties === undefined) return anyMember(schema)
  if (Object.hasOwn(schema.properties, name)) return schema.properties[name]
  return schema.additionalProperties === undefined || schema.additionalProperties === false
    ? 'missing'
    : anyMember(schema)
}

/** What is known of each member or item whose name is not known. */
export function anyMember(schema: ValueSchema | undefined): ValueSchema | undefined {
  const { additionalProperties, items } = schema ?? {}
  return items ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
}

/** The JSON Schema of a step's output as it is used here. */
export function valueSchema(schema: Readonly<Record<string, unknown>>): ValueSchema {
  // Written by ourselves beside each type of step; other keywords are not read.
  return schema
}
