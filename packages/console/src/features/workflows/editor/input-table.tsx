import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { FreeField } from '../schema-form/free-field.tsx'
import type { FieldSchema } from '../schema-form/field-schema.ts'
import { fieldsOf, requiredOf, typeOf } from '../schema-form/field-schema.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import { isRecord } from '../definition/draft.ts'
import { withValue } from '../definition/draft-edits.ts'
import type { Editor } from './use-editor.ts'

const fieldTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const

/** The fields that a run asks for, or the JSON Schema that says more than fields can. */
export function InputTable({ editor }: { editor: Editor }) {
  const [mode, setMode] = useState<'fields' | 'schema'>('fields')
  const schema = editor.draft.root['input_schema']
  const save = (next: unknown) => editor.edit((draft) => withValue(draft, ['input_schema'], next), 'typing')
  return (
    <>
      <div>
        <Segmented
          label="How the input is described"
          value={mode}
          options={[
            { value: 'fields', label: 'Fields' },
            { value: 'schema', label: 'JSON Schema' },
          ]}
          onChange={setMode}
        />
      </div>
      {mode === 'schema' ? (
        <FreeField label="JSON Schema" hint="An object with properties." value={schema} onChange={save} />
      ) : (
        <Fields editor={editor} />
      )}
    </>
  )
}

function Fields({ editor }: { editor: Editor }) {
  const schema = editor.draft.root['input_schema']
  const required = requiredOf(schema)
  const fields = fieldsOf(schema)
  const change = (path: readonly string[], value: unknown, how?: 'typing') =>
    editor.edit((draft) => withValue(draft, ['input_schema', ...path], value), how)
  const setRequired = (name: string, isRequired: boolean) => {
    const next = isRequired ? [...required, name] : [...required].filter((each) => each !== name)
    change(['required'], next.length > 0 ? next : undefined)
  }
  const add = () => {
    let name = 'field'
    for (let count = 2; fields.some(([each]) => each === name); count += 1) name = `field_${count}`
    const properties = { ...Object.fromEntries(fields), [name]: { type: 'string' } }
    const rest = isRecord(schema) ? schema : {}
    editor.edit((draft) => withValue(draft, ['input_schema'], { ...rest, type: 'object', properties }))
  }
  return (
    <>
      {fields.map(([name, field], index) => (
        <InputFields
          // A name is typed letter by letter; the place in the list stays.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          name={name}
          schema={field}
          isRequired={required.has(name)}
          isTaken={(next) => fields.some(([each]) => each === next)}
          onRename={(next) => {
            const properties = Object.fromEntries(
              fields.map(([each, value]) => [each === name ? next : each, value]),
            )
            const rest = isRecord(schema) ? schema : {}
            const names = [...required].map((each) => (each === name ? next : each))
            editor.edit((draft) =>
              withValue(draft, ['input_schema'], {
                ...rest,
                properties,
                ...(names.length > 0 ? { required: names } : {}),
              }),
            )
          }}
          onChange={(part, value, how) => change(['properties', name, part], value, how)}
          onRequired={(isRequired) => setRequired(name, isRequired)}
          onRemove={() => {
            const properties = Object.fromEntries(fields.filter(([each]) => each !== name))
            const { required: _old, ...rest } = isRecord(schema) ? schema : {}
            const names = [...required].filter((each) => each !== name)
            editor.edit((draft) =>
              withValue(draft, ['input_schema'], {
                ...rest,
                properties,
                ...(names.length > 0 ? { required: names } : {}),
              }),
            )
          }}
        />
      ))}
      <div>
        <Button size="small" icon={<Plus size={14} aria-hidden />} onClick={add}>
          Add field
        </Button>
      </div>
    </>
  )
}

interface InputFieldsProps {
  name: string
  schema: FieldSchema
  isRequired: boolean
  isTaken: (name: string) => boolean
  onRename: (name: string) => void
  onChange: (part: string, value: unknown, how?: 'typing') => void
  onRequired: (isRequired: boolean) => void
  onRemove: () => void
}

function InputFields(props: InputFieldsProps) {
  const { name, schema, isRequired, isTaken, onRename, onChange, onRequired, onRemove } = props
  const type = typeOf(schema) ?? 'string'
  return (
    <fieldset className="flex flex-col gap-3 rounded-control border border-line p-3">
      <legend className="sr-only">Input {name}</legend>
      <div className="flex items-end gap-2">
        <NameField key={name} name={name} isTaken={isTaken} onRename={onRename} />
        <Field label="Type">
          {(control) => (
            <Select
              {...control}
              className="w-28"
              value={type}
              options={fieldTypes.map((each) => ({ value: each, label: each }))}
              onChange={({ target }) => onChange('type', target.value)}
            />
          )}
        </Field>
        <IconButton label={`Remove ${name}`} icon={<Trash2 size={14} aria-hidden />} onClick={onRemove} />
      </div>
      <Field label="Description" required={false}>
        {(control) => (
          <Input
            {...control}
            value={schema.description ?? ''}
            autoComplete="off"
            onChange={({ target }) => onChange('description', target.value || undefined, 'typing')}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Default" required={false}>
          {(control) => (
            <Input
              {...control}
              value={schema.default === undefined ? '' : textOf(schema.default)}
              autoComplete="off"
              onChange={({ target }) => onChange('default', typedValue(target.value, type), 'typing')}
            />
          )}
        </Field>
        <Field label="One of" required={false}>
          {(control) => (
            <Input
              {...control}
              value={(schema.enum ?? []).map(textOf).join(',')}
              placeholder="a, b, c"
              autoComplete="off"
              onChange={({ target }) =>
                onChange(
                  'enum',
                  target.value === ''
                    ? undefined
                    : target.value.split(',').map((each) => typedValue(each.trimStart(), type) ?? ''),
                  'typing',
                )
              }
            />
          )}
        </Field>
      </div>
      <Checkbox label="Required" checked={isRequired} onChange={({ target }) => onRequired(target.checked)} />
    </fieldset>
  )
}

function NameField(props: {
  name: string
  isTaken: (name: string) => boolean
  onRename: (name: string) => void
}) {
  const { name, isTaken, onRename } = props
  const [typed, setTyped] = useState(name)
  const error =
    typed === name
      ? undefined
      : !/^[A-Za-z_]\w{0,62}$/.test(typed)
        ? 'Use letters, digits and underscores.'
        : isTaken(typed)
          ? 'Another field has this name.'
          : undefined
  return (
    <Field label="Name" error={error} className="min-w-0 flex-1">
      {(control) => (
        <Input
          {...control}
          className="font-mono text-small"
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
          onBlur={() => {
            if (typed !== name && error === undefined) onRename(typed)
          }}
        />
      )}
    </Field>
  )
}

function typedValue(text: string, type: string): unknown {
  if (text === '') return undefined
  if (type === 'string') return text
  if (type === 'boolean') return text === 'true'
  const number = Number(text)
  return Number.isFinite(number) && (type === 'number' || type === 'integer') ? number : text
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
