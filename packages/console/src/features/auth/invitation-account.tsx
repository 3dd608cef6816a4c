import { isAcceptablePassword, maxPasswordLength, nameError, passwordRules } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { signUpInvited } from '../../data/invitations.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { NewPasswordFields } from '../../ui/new-password-fields.tsx'

interface InvitationAccountProps {
  token: string
  /** The invited address, which has no account yet. */
  email: string
  busy: boolean
  /** Takes what creates the account, to go on once it has succeeded. */
  onSubmit: (signUp: () => Promise<void>) => void
}

const blank = { name: '', password: '', confirmation: '' }

/** A new account for the invited address: a name and a password are all that is missing. */
export function InvitationAccount({ token, email, busy, onSubmit }: InvitationAccountProps) {
  const [form, setForm] = useState(blank)
  const { name, password, confirmation } = form
  const isComplete =
    name.trim() !== '' &&
    nameError(name) === undefined &&
    isAcceptablePassword(password) &&
    password === confirmation
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isComplete && !busy) onSubmit(() => signUpInvited({ token, name, password }))
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Email">
        {(control) => <Input {...control} type="email" autoComplete="username" readOnly value={email} />}
      </Field>
      <Field label="Name" error={nameError(name)}>
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            placeholder="Full name"
            value={name}
            onChange={(event) => setForm({ ...form, name: event.target.value })}
          />
        )}
      </Field>
      <NewPasswordFields
        label="Password"
        confirmLabel="Confirm Password"
        password={password}
        confirmation={confirmation}
        onChange={(part) => setForm({ ...form, ...part })}
        rules={passwordRules}
        maxLength={maxPasswordLength}
      />
      <Button type="submit" variant="primary" busy={busy} disabled={!isComplete}>
        Create account and join
      </Button>
    </form>
  )
}
