import { Field } from './field.tsx'
import type { FieldProps } from './field.tsx'
import { Input } from './input.tsx'
import type { InputProps } from './input.tsx'

export interface PasswordFieldProps
  extends Pick<FieldProps, 'label' | 'hint' | 'error' | 'aside'>, Pick<InputProps, 'disabled' | 'maxLength'> {
  /** What a password manager offers for it. */
  autoComplete: 'current-password' | 'new-password'
  value: string
  onChange: (value: string) => void
  /** In a dialog the focus goes here first. */
  isFirst?: boolean
}

/** A labelled field for a password. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, hint, error, aside, onChange, isFirst = false, ...rest } = props
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(control) => (
        <Input
          {...control}
          {...rest}
          {...(isFirst ? { 'data-initial-focus': '' } : {})}
          type="password"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
