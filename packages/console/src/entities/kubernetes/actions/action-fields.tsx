import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import type { ActionField, ActionValues } from './action.ts'

/** What each field begins with, by name. */
export function initialValues(fields: readonly ActionField[]): ActionValues {
  return Object.fromEntries(fields.map(({ name, initial }) => [name, initial]))
}

/** Whether every field holds something that can be sent. */
export function areValid(fields: readonly ActionField[], values: ActionValues): boolean {
  return fields.every(({ name, problem }) => problem?.(values[name] ?? '') === undefined)
}

/** The fields of an action. What is wrong is said once the value was changed. */
export function ActionFields({
  fields,
  values,
  onChange,
}: {
  fields: readonly ActionField[]
  values: ActionValues
  onChange: (values: ActionValues) => void
}) {
  return fields.map((field, index) => {
    const { name, label, type, initial, hint, problem, options = [] } = field
    const value = values[name] ?? ''
    const set = (next: string) => onChange({ ...values, [name]: next })
    if (type === 'check') {
      return (
        <Checkbox
          key={name}
          label={label}
          hint={hint}
          checked={value === 'true'}
          onChange={(event) => set(event.target.checked ? 'true' : '')}
        />
      )
    }
    return (
      <Field
        key={name}
        label={label}
        {...(hint && { hint })}
        error={value === initial ? undefined : problem?.(value)}
      >
        {(control) =>
          type === 'choice' ? (
            <Select
              {...control}
              className="w-full"
              value={value}
              options={options}
              onChange={(event) => set(event.target.value)}
            />
          ) : (
            <Input
              {...control}
              value={value}
              // A number as text: a wheel over it must not change what is done to a cluster.
              inputMode={type === 'number' ? 'numeric' : 'text'}
              data-initial-focus={index === 0 ? '' : undefined}
              autoComplete="off"
              spellCheck={false}
              onFocus={(event) => event.target.select()}
              onChange={(event) => set(event.target.value)}
            />
          )
        }
      </Field>
    )
  })
}
