/** What a form reads of a JSON Schema. Anything else of it is the server's to check. */
export interface FieldSchema {
  type?: string | readonly string[]
  title?: string
  description?: string
  default?: unknown
  enum?: readonly unknown[]
  const?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  items?: FieldSchema
  properties?: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
  anyOf?: readonly FieldSchema[]
  oneOf?: readonly FieldSchema[]
  /** How it is shown: `textarea`, `code`, `yaml`, `values`. */
  'x-widget'?: string
  /** It is taken as it stands: braces mean nothing in it. */
  'x-literal'?: boolean
  /** It is an expression without braces that knows these variables. */
  'x-expression'?: readonly string[]
}

/** How a field is entered. */
export type FieldKind =
  | 'text'
  | 'long'
  | 'code'
  | 'expression'
  | 'number'
  | 'duration'
  | 'choice'
  | 'switch'
  | 'lines'
  | 'date'
  | 'time'
  /** Fields of its own. */
  | 'group'
  | 'free'

/** The widgets that ask for several lines of code. */
const codeWidgets = new Set(['code', 'yaml', 'javascript', 'sql', 'manifest', 'json'])
const longWidgets = new Set(['textarea', 'markdown', 'multiline'])

/** How the field of a schema is entered. */
export function fieldKind(name: string, given: FieldSchema): FieldKind {
  const schema = mainSchema(given)
  const widget = given['x-widget'] ?? schema['x-widget'] ?? ''
  if (given['x-expression'] ?? schema['x-expression']) return 'expression'
  if (codeWidgets.has(widget)) return 'code'
  if (longWidgets.has(widget)) return 'long'
  if (schema.enum && schema.enum.every((value) => typeof value !== 'object')) return 'choice'
  const type = typeOf(schema)
  if (type === 'boolean') return 'switch'
  if (type === 'integer' || type === 'number') return name.endsWith('_ms') ? 'duration' : 'number'
  if (type === 'array' && typeOf(mainSchema(schema.items ?? {})) === 'string' && !schema.items?.enum)
    return 'lines'
  if (type === 'string')
    return schema.format === 'date' ? 'date' : schema.format === 'date-time' ? 'time' : 'text'
  return type === 'object' && fieldsOf(schema).length > 0 ? 'group' : 'free'
}

/** Of several schemas the one that people mean: the first that is not null. */
export function mainSchema(schema: FieldSchema): FieldSchema {
  const options = schema.anyOf ?? schema.oneOf
  if (!options) return schema
  const main = options.find((each) => typeOf(each) !== 'null') ?? {}
  const isOne = options.filter((each) => typeOf(each) !== 'null').length === 1
  return { ...(isOne ? main : {}), ...schema }
}

/** The type of a schema, the first that is not null where it names several. */
export function typeOf({ type, properties }: FieldSchema): string | undefined {
  if (typeof type === 'string') return type
  if (type) return type.find((each) => each !== 'null')
  return properties ? 'object' : undefined
}

/** The label of a field: its title, else its name in words. */
export function fieldLabel(name: string, schema: FieldSchema): string {
  if (schema.title) return schema.title
  const words = name.replace(/_ms$/, '').replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The fields of a schema in its order. A JSON Schema that somebody wrote may be of any shape. */
export function fieldsOf(schema: unknown): [name: string, schema: FieldSchema][] {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return []
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return []
  return Object.entries(properties).flatMap(([name, each]) =>
    typeof each === 'object' && each !== null ? [[name, each as FieldSchema]] : [],
  )
}

/** The names of the fields that must be given. */
export function requiredOf(schema: unknown): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null || !('required' in schema)) return new Set()
  const { required } = schema
  return new Set(Array.isArray(required) ? required.filter((each) => typeof each === 'string') : [])
}

/** Values that the schema gives where nothing is entered. */
export function defaultsOf(schema: unknown): Record<string, unknown> {
  return Object.fromEntries(
    fieldsOf(schema).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  )
}
