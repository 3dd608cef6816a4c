import { snakeCase, triggerEventNames, triggerEventTable } from '@bey/contract'

import type { Json } from '../definition/definition.ts'
import type { ValueSchema } from '../definition/expressions/value-schema.ts'

/** What expressions know as `event`: its type and its fields, in snake case. Fields that are so already stay. */
export function eventValue({ type, data = {} }: { type: string; data?: object | undefined }): Json {
  return { type, ...inSnakeCase(data) }
}

/** An object with its own names in snake case; what it contains stays as it is. */
export function inSnakeCase(fields: object): Json {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [snakeCase(name), value]))
}

/** The fields of an event of this type; of any event where the type is not known. */
export function eventSchema(type: unknown): ValueSchema {
  const name = triggerEventNames.find((each) => each === type)
  if (name === undefined) return {}
  return { properties: Object.fromEntries(['type', ...triggerEventTable[name].fields].map((f) => [f, {}])) }
}
