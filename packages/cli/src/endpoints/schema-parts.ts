import { z } from 'zod'
import type { Flag } from '../command.ts'

/** The parts of JSON Schema that zod writes and commands are made of. */
export type JsonSchema = {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  format?: string
}

/** A zod schema as JSON Schema, with a reference at its top followed. */
export function openSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  // zod describes more than is named here.
  const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
  return { ...follow(whole, whole), ...(whole.$defs && { $defs: whole.$defs }) }
}

/** Follows references, and takes the schema beside null out of a union. */
function follow(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = schema.$ref?.replace('#/$defs/', '')
  if (name !== undefined) return follow(root.$defs?.[name] ?? {}, root)
  const parts = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
  const only = parts?.length === 1 ? parts[0] : undefined
  return only ? { ...follow(only, root), ...pick(schema, 'default') } : schema
}

function pick<T extends object, K extends keyof T>(from: T, key: K): Partial<Pick<T, K>> {
  return from[key] === undefined ? {} : ({ [key]: from[key] } as Pick<T, K>)
}

/** What a flag takes, and its bounds in words. */
export function kindOf(
  property: JsonSchema,
  root: JsonSchema,
): Pick<Flag, 'kind' | 'values' | 'isList' | 'help'> {
  const schema = follow(property, root)
  if (schema.type === 'array' && schema.items) {
    const { kind, values, help } = kindOf(schema.items, root)
    if (kind === 'json') return { kind, help: 'JSON, a list' }
    return { kind, ...(values && { values }), isList: true, help: `${help}; may be repeated` }
  }
  const values = schema.enum?.every((each) => typeof each === 'string') ? schema.enum.map(String) : undefined
  if (values) return { kind: 'string', values, help: withDefault(`one of ${values.join(', ')}`, schema) }
  const kind = plainKind(schema)
  return { kind, help: withDefault(`${kindWords[kind]}${boundsOf(schema)}`, schema) }
}

const kindWords = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  json: 'JSON',
}

function plainKind({ type, const: constant, anyOf, oneOf }: JsonSchema): Flag['kind'] {
  // Text or parts: the flag takes the text, and `--input` the parts.
  if ((anyOf ?? oneOf)?.some((part) => part.type === 'string')) return 'string'
  if (typeof constant === 'boolean') return 'boolean'
  if (type === 'string' || typeof constant === 'string') return 'string'
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  return 'json'
}

function boundsOf({ minimum, maximum, minLength, maxLength, format }: JsonSchema): string {
  if (format === 'date-time') return ', an RFC 3339 time'
  if (format === 'uuid') return ', a UUID'
  const least = minimum ?? minLength
  const most = maximum ?? maxLength
  const unit = minLength === undefined && maxLength === undefined ? '' : ' characters'
  const known = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (known(least) && known(most)) return `, ${least} to ${most}${unit}`
  if (known(most)) return `, at most ${most}${unit}`
  return known(least) && least !== 0 ? `, at least ${least}${unit}` : ''
}

function withDefault(text: string, schema: JsonSchema): string {
  const { default: value } = schema
  const isShown = value !== undefined && value !== '' && typeof value !== 'object'
  return isShown ? `${text}; default ${typeof value === 'string' ? value : JSON.stringify(value)}` : text
}

/** The property of a reply that holds its rows: the list that has the name of the noun, else the only one. */
export function listOf(reply: JsonSchema, noun: string): { name: string; row: JsonSchema } | undefined {
  if (reply.type !== 'object') return undefined
  const lists = Object.entries(reply.properties ?? {}).flatMap(([name, property]) => {
    const schema = follow(property, reply)
    if (schema.type !== 'array' || !schema.items) return []
    const row = follow(schema.items, reply)
    return row.type === 'object' && row.properties ? [{ name, row: { ...row, ...pick(reply, '$defs') } }] : []
  })
  const hasTotal = reply.properties?.['total'] !== undefined
  const own = hasTotal ? lists.find(({ name }) => name === noun) : undefined
  if (own) return own
  return lists.length === 1 && (hasTotal || onlyLists(reply)) ? lists[0] : undefined
}

/** Whether a reply is hardly more than its list. */
function onlyLists(reply: JsonSchema): boolean {
  return Object.keys(reply.properties ?? {}).length <= 2
}

const first = [
  'id',
  'seq',
  'name',
  'title',
  'hostName',
  'kind',
  'namespace',
  'status',
  'state',
  'health',
  'role',
  'type',
  'email',
  'action',
  'workflowName',
]
const last = ['createdAt', 'updatedAt', 'startedAt', 'lastUsedAt', 'at', 'queuedAt']
const hidden = /^(organization_?[iI]d|totalIsExact|page|limit|userAgent|ciphertext|requestId)$/

/** Fields for a table: what names a row first, then its state, then the rest; at most 8, none that has parts. */
export function columnsOf(row: JsonSchema): string[] {
  const fields = Object.entries(row.properties ?? {}).flatMap(([field, property]) => {
    const schema = follow(property, row)
    const isPlain =
      schema.enum !== undefined ||
      schema.const !== undefined ||
      ['string', 'integer', 'number', 'boolean'].includes(String(schema.type))
    // Clusters carry their title twice.
    const isTwice = field === 'title' && row.properties?.['name'] !== undefined
    return isPlain && !isTwice && !hidden.test(field) ? [field] : []
  })
  const rank = (field: string) => {
    const index = first.indexOf(field)
    if (index !== -1) return index
    if (last.includes(field)) return 200 + last.indexOf(field)
    // Long, or of use to programs alone.
    return /^(description|uid|href|pending_operations)$|Id$|_id$/.test(field) ? 150 : 100
  }
  const sorted = fields.toSorted((one, other) => rank(one) - rank(other))
  const times = sorted.filter((field) => last.includes(field)).slice(0, 1)
  return [...sorted.filter((field) => !last.includes(field)).slice(0, 8 - times.length), ...times]
}
