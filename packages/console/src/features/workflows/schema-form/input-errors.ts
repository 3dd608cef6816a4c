import { formatProblem } from '@bey/contract'

import type { FieldErrors } from '../../../lib/use-submission.ts'
import type { FieldSchema } from './field-schema.ts'
import { fieldKind, fieldLabel, fieldsOf, mainSchema, requiredOf, typeOf } from './field-schema.ts'

/**
 * Everything that is wrong with what is entered, by the paths that the server gives: `input.owner.email`. Patterns and
 * what else a schema can say are left to the server.
 */
export function inputErrors(
  schema: unknown,
  values: Readonly<Record<string, unknown>>,
  path: string,
): FieldErrors {
  const required = requiredOf(schema)
  return Object.assign(
    {},
    ...fieldsOf(schema).map(([name, field]) =>
      fieldErrors(name, field, values[name], `${path}.${name}`, required.has(name)),
    ),
  ) as FieldErrors
}

function fieldErrors(
  name: string,
  field: FieldSchema,
  value: unknown,
  path: string,
  isRequired: boolean,
): FieldErrors {
  const main = mainSchema(field)
  const isGroup = fieldKind(name, field) === 'group'
  if (isGroup && (isRequired || value !== undefined)) {
    if (value === undefined || isRecord(value)) return inputErrors(main, value ?? {}, path)
  }
  if (value === undefined || value === '')
    return isRequired ? { [path]: `Enter ${withArticle(fieldLabel(name, field).toLowerCase())}.` } : {}
  const message = valueProblem(field, main, value)
  return message === undefined ? {} : { [path]: message }
}

/** "an image", "a cluster", "replicas". */
function withArticle(label: string): string {
  if (label.endsWith('s')) return label
  return `${/^[aeio]/.test(label) ? 'an' : 'a'} ${label}`
}

function valueProblem(field: FieldSchema, main: FieldSchema, value: unknown): string | undefined {
  // Several types may fit: which of them is meant is the server's to say.
  const isMixed =
    Array.isArray(main.type) || main.type === undefined || (field.anyOf ?? field.oneOf) !== undefined
  if (isMixed) return undefined
  if (main.enum && !main.enum.includes(value)) return `Choose one of ${main.enum.map(String).join(', ')}.`
  const type = typeOf(main)
  if (type === 'number' || type === 'integer') return numberProblem(main, type, value)
  if (type === 'string' && typeof value === 'string') return textProblem(main, value)
  return undefined
}

function numberProblem(
  { minimum, maximum }: FieldSchema,
  type: 'number' | 'integer',
  value: unknown,
): string | undefined {
  if (typeof value !== 'number') return 'Enter a number.'
  if (type === 'integer' && !Number.isInteger(value)) return 'Enter a whole number.'
  if (minimum !== undefined && value < minimum) return `Enter at least ${minimum}.`
  if (maximum !== undefined && value > maximum) return `Enter at most ${maximum}.`
  return undefined
}

function textProblem({ format, minLength = 0, maxLength = Infinity }: FieldSchema, text: string) {
  const length = Array.from(text).length
  if (length < minLength) return `Enter at least ${minLength} characters.`
  if (length > maxLength) return `Enter at most ${maxLength} characters.`
  return formatProblem(format, text)
}

/** The input as it is sent: defaults where nothing is entered, also within groups, and groups that must be there. */
export function filledInput(
  schema: unknown,
  typed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const required = requiredOf(schema)
  const known = fieldsOf(schema).map(([name, field]) => {
    // A box that is not ticked says no.
    const isUnticked = required.has(name) && fieldKind(name, field) === 'switch'
    const value = typed[name] ?? field.default ?? (isUnticked ? false : undefined)
    const isGroup = fieldKind(name, field) === 'group' && (value === undefined || isRecord(value))
    if (!isGroup) return [name, value] as const
    const inner = filledInput(mainSchema(field), isRecord(value) ? value : {})
    return [name, value !== undefined || required.has(name) ? inner : undefined] as const
  })
  return Object.fromEntries([...Object.entries(typed), ...known].filter(([, value]) => value !== undefined))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
