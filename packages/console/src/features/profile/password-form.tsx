import { isAcceptablePassword, maxPasswordLength, passwordRules } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useChangePassword } from '../../data/account.ts'
import { codeOf, errorMessage, fieldErrorsOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { NewPasswordFields } from '../../ui/new-password-fields.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

const blank = { currentPassword: '', password: '', confirmation: '' }

/** Changes the password, which ends every other session. */
export function PasswordForm({ email }: { email: string }) {
  const [form, setForm] = useState(blank)
  const change = useChangePassword()
  const { currentPassword, password, confirmation } = form
  useUnsaved(password === '' ? undefined : 'your new password')
  const canChange = currentPassword !== '' && isAcceptablePassword(password) && password === confirmation
  const isWrong = codeOf(change.error) === 'invalid_credentials'
  const fieldErrors = fieldErrorsOf(change.error)
  const text = change.error ? errorMessage(change.error, 'The password could not be changed') : undefined
  const isInField = isWrong || Object.keys(fieldErrors).length > 0

  const set = (part: Partial<typeof blank>) => {
    change.reset()
    setForm({ ...form, ...part })
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!canChange || change.isPending) return
    const isDone = await change.mutateAsync({ currentPassword, newPassword: password }).then(
      () => true,
      () => false,
    )
    if (isDone) setForm(blank)
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="flex max-w-md flex-col gap-4">
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        error={isWrong ? 'This is not your current password.' : fieldErrors['currentPassword']}
        autoComplete="current-password"
        maxLength={maxPasswordLength}
        value={currentPassword}
        onChange={(value) => set({ currentPassword: value })}
      />
      <NewPasswordFields
        label="New password"
        confirmLabel="Confirm new password"
        password={password}
        confirmation={confirmation}
        onChange={set}
        rules={passwordRules}
        maxLength={maxPasswordLength}
        error={fieldErrors['newPassword']}
      />
      <div role="alert" className={text && !isInField ? 'text-danger' : 'hidden'}>
        {isInField ? '' : text}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={!canChange} busy={change.isPending}>
          Change password
        </Button>
        <output className="text-small text-text-2">{change.isSuccess ? outcomeText(change.data) : ''}</output>
      </div>
    </form>
  )
}

function outcomeText(endedSessions: number): string {
  if (endedSessions === 0) return 'Changed. You had no other sessions.'
  return `Changed. ${formatCount(endedSessions, 'other session')} ${endedSessions === 1 ? 'was' : 'were'} ended.`
}
