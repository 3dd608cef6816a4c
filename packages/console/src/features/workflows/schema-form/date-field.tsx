import type { FieldProps } from '../../../ui/field.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { localText, timeOfLocal } from './local-time.ts'

export interface DateFieldProps extends Omit<FieldProps, 'children'> {
  value: unknown
  /** A time is entered in the zone of the browser and kept with its zone. */
  withTime: boolean
  onChange: (value: unknown) => void
}

/** A day, or a time. */
export function DateField({ value, withTime, onChange, hint, ...field }: DateFieldProps) {
  const zone = `In ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`
  const text = typeof value === 'string' ? value : ''
  return (
    <Field
      {...field}
      hint={
        withTime ? (
          <>
            {hint} {zone}
          </>
        ) : (
          hint
        )
      }
    >
      {(control) => (
        <Input
          {...control}
          type={withTime ? 'datetime-local' : 'date'}
          className="max-w-64"
          max={withTime ? '9999-12-31T23:59' : '9999-12-31'}
          value={withTime ? localText(text) : text}
          onChange={({ target }) => {
            const given = target.value
            onChange(given === '' ? undefined : withTime ? timeOfLocal(given) : given)
          }}
        />
      )}
    </Field>
  )
}
