import type { ReactNode } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'
import type { FieldProps } from '../../../ui/field.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { DateField } from './date-field.tsx'
import { DurationField } from './duration-field.tsx'
import type { FieldSchema } from './field-schema.ts'
import { fieldKind, fieldLabel, fieldsOf, mainSchema, requiredOf } from './field-schema.ts'
import { FreeField } from './free-field.tsx'
import type { TextFieldProps } from './text-field.ts'

export interface SchemaFieldsProps {
  /** A JSON Schema of an object. */
  schema: unknown
  values: Readonly<Record<string, unknown>>
  /** Undefined: nothing is entered. */
  onChange: (name: string, value: unknown) => void
  /** By the name of a field; within a group by its path: `owner.email`. */
  errorOf?: ((path: string) => string | undefined) | undefined
  /** Draws text, where any field may hold an expression in braces. Without it fields hold what their type says. */
  textField?: (props: TextFieldProps) => ReactNode
}

/** The fields of a JSON Schema, in its order, each as its type asks. */
export function SchemaFields({ schema, values, onChange, errorOf, textField }: SchemaFieldsProps) {
  const required = requiredOf(schema)
  return fieldsOf(schema).map(([name, field]) => (
    <SchemaField
      key={name}
      name={name}
      schema={field}
      isRequired={required.has(name)}
      value={values[name]}
      errorOf={(path) => errorOf?.(path === '' ? name : `${name}.${path}`)}
      onChange={(value) => onChange(name, value)}
      textField={textField}
    />
  ))
}

interface SchemaFieldProps {
  name: string
  schema: FieldSchema
  isRequired: boolean
  value: unknown
  /** Of the field itself for an empty path. */
  errorOf: (path: string) => string | undefined
  onChange: (value: unknown) => void
  textField: SchemaFieldsProps['textField']
}

function SchemaField(props: SchemaFieldProps) {
  const { name, schema, isRequired, value, errorOf, onChange, textField } = props
  const error = errorOf('')
  const field = {
    label: fieldLabel(name, schema),
    hint: schema.description,
    error,
    ...(isRequired ? { required: true } : schema.default === undefined ? { required: false } : {}),
  }
  const kind = fieldKind(name, schema)
  const main = mainSchema(schema)
  const placeholder = schema.default === undefined ? '' : plainText(schema.default)
  const isText =
    ['text', 'long', 'code', 'expression'].includes(kind) ||
    (textField !== undefined && ['date', 'time'].includes(kind))
  const isTemplate = typeof value === 'string' && value.includes('{{')
  if (isText || (textField && isTemplate && kind !== 'free')) {
    const text = {
      ...field,
      value: plainText(value),
      placeholder,
      syntax: schema['x-literal'] ? 'plain' : kind === 'expression' ? 'expression' : 'template',
      rows: kind === 'code' ? 5 : kind === 'long' ? 3 : 1,
      isCode: kind === 'code' || kind === 'expression',
      variables: schema['x-expression'] ?? main['x-expression'],
      onChange: (next: string) => onChange(next === '' ? undefined : next),
    } as const
    return textField ? textField(text) : <PlainTextField {...text} />
  }
  // A definition may write the whole as a template.
  if (kind === 'group' && textField === undefined && (value === undefined || isRecord(value)))
    return <GroupField {...props} value={value ?? {}} label={field.label} />
  switch (kind) {
    case 'duration':
      return (
        <DurationField {...field} value={value} placeholder={durationDefault(schema)} onChange={onChange} />
      )
    case 'number':
      return <NumberField {...field} value={value} placeholder={placeholder} onChange={onChange} />
    case 'choice':
      return (
        <Field {...field}>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={plainText(value ?? (isRequired ? '' : (schema.default ?? '')))}
              options={[
                ...(value === undefined && schema.default === undefined
                  ? [{ value: '', label: 'Choose' }]
                  : []),
                ...(main.enum ?? []).map((each) => ({ value: String(each), label: String(each) })),
              ]}
              onChange={({ target }) => onChange(main.enum?.find((each) => String(each) === target.value))}
            />
          )}
        </Field>
      )
    case 'switch':
      return (
        <Checkbox
          label={field.label}
          hint={schema.description}
          checked={value === undefined ? schema.default === true : value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      )
    case 'lines':
      return <LinesField {...field} value={value} onChange={onChange} />
    case 'date':
    case 'time':
      return <DateField {...field} withTime={kind === 'time'} value={value} onChange={onChange} />
    default:
      return (
        <FreeField
          {...field}
          value={value}
          onChange={onChange}
          textField={schema['x-literal'] ? undefined : textField}
        />
      )
  }
}

/** An object with fields of its own; it is left out again when all of them are empty. */
function GroupField(props: SchemaFieldProps & { value: Readonly<Record<string, unknown>>; label: string }) {
  const { schema, isRequired, value, label, errorOf, onChange } = props
  const main = mainSchema(schema)
  const isSaidWithin = fieldsOf(main).some(([name]) => errorOf(name) !== undefined)
  const error = isSaidWithin ? undefined : errorOf('')
  return (
    <fieldset className="flex flex-col gap-4 rounded-control border border-line p-4">
      <legend className="px-1 font-medium text-text">
        {label}
        {isRequired ? null : <span className="ml-1.5 font-normal text-text-3">optional</span>}
      </legend>
      {schema.description ? <p className="text-small text-text-3">{schema.description}</p> : null}
      <SchemaFields
        schema={main}
        values={value}
        onChange={(name, next) => {
          const entries = Object.entries({ ...value, [name]: next }).filter(([, each]) => each !== undefined)
          onChange(entries.length > 0 ? Object.fromEntries(entries) : undefined)
        }}
        errorOf={errorOf}
      />
      <p role="alert" className={error ? 'text-small text-danger' : 'hidden'}>
        {error}
      </p>
    </fieldset>
  )
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function PlainTextField({ value, rows, isCode, placeholder, onChange, ...rest }: TextFieldProps) {
  const { label, hint, error, required } = rest
  const className = isCode ? 'font-mono text-small' : ''
  const field = { label, hint, error, ...(required === undefined ? {} : { required }) }
  return (
    <Field {...field}>
      {(control) =>
        rows > 1 ? (
          <TextArea
            {...control}
            rows={rows}
            className={className}
            value={value}
            placeholder={placeholder}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : (
          <Input
            {...control}
            className={className}
            value={value}
            placeholder={placeholder}
            autoComplete="off"
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Field>
  )
}

function NumberField(
  props: Omit<FieldProps, 'children'> & {
    value: unknown
    placeholder: string
    onChange: (value: unknown) => void
  },
) {
  const { value, placeholder, onChange, ...field } = props
  return (
    <Field {...field}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          value={plainText(value)}
          placeholder={placeholder}
          autoComplete="off"
          onChange={({ target }) => {
            const number = Number(target.value)
            const isNumber = /^-?\d+(\.\d+)?$/.test(target.value) && Number.isFinite(number)
            onChange(target.value === '' ? undefined : isNumber ? number : target.value)
          }}
        />
      )}
    </Field>
  )
}

function LinesField(
  props: Omit<FieldProps, 'children'> & { value: unknown; onChange: (value: unknown) => void },
) {
  const { value, onChange, ...field } = props
  const lines = Array.isArray(value) ? value.map(plainText) : value === undefined ? [] : [plainText(value)]
  return (
    <Field {...field} hint={field.hint ?? 'One per line.'}>
      {(control) => (
        <TextArea
          {...control}
          rows={Math.min(8, Math.max(2, lines.length))}
          value={lines.join('\n')}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value.split('\n'))}
        />
      )}
    </Field>
  )
}

function durationDefault({ default: value }: FieldSchema): string {
  return typeof value === 'number' ? String(value / 1_000) : ''
}

function plainText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
