import { PasswordChecklist } from './password-checklist.tsx'
import type { PasswordChecklistProps } from './password-checklist.tsx'
import { PasswordField } from './password-field.tsx'

export interface NewPasswordFieldsProps {
  label: string
  confirmLabel: string
  password: string
  confirmation: string
  onChange: (part: { password: string } | { confirmation: string }) => void
  rules: PasswordChecklistProps['rules']
  maxLength: number
  error?: string | undefined
  disabled?: boolean
}

/** A new password with its live checklist, and the same once more. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { label, confirmLabel, password, confirmation, onChange, rules, maxLength, error, disabled } = props
  const isMatching = password === confirmation
  const shared = { autoComplete: 'new-password', maxLength, disabled } as const
  return (
    <>
      <PasswordField
        {...shared}
        label={label}
        error={error}
        hint={<PasswordChecklist password={password} rules={rules} />}
        value={password}
        onChange={(value) => onChange({ password: value })}
      />
      <PasswordField
        {...shared}
        label={confirmLabel}
        aside={
          <span aria-live="polite" className={isMatching ? 'text-ok' : 'text-danger'}>
            {confirmation === '' ? '' : isMatching ? '✓ Passwords match' : "✗ Passwords don't match"}
          </span>
        }
        value={confirmation}
        onChange={(value) => onChange({ confirmation: value })}
      />
    </>
  )
}
