import { isAcceptablePassword, maxPasswordLength, passwordRules } from '@bey/contract'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { resetPassword } from '../../data/sign-in.ts'
import { codeOf, errorMessage, fieldErrorsOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { NewPasswordFields } from '../../ui/new-password-fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { AuthLayout } from './auth-layout.tsx'

const linkClass = 'font-medium text-accent-text underline-offset-2 hover:underline'

/** Where a link of a mail leads: a new password, whereupon every session is ended. */
export function ResetPasswordPage() {
  // Browsers keep what is behind the hash to themselves: it is in no log.
  const [token] = useState(() => location.hash.slice(1))
  const [isSpent, setSpent] = useState(token === '')
  return (
    <AuthLayout>
      <h1 className="text-title font-semibold">Choose a new password</h1>
      {isSpent ? <Spent isEmpty={token === ''} /> : <Form token={token} onSpent={() => setSpent(true)} />}
      <p className="mt-6">
        <Link to="/login" className={linkClass}>
          Back to login
        </Link>
      </p>
    </AuthLayout>
  )
}

function Spent({ isEmpty }: { isEmpty: boolean }) {
  return (
    <div className="mt-4 flex flex-col gap-4">
      <Notice tone="warn" title={isEmpty ? 'The link is incomplete' : 'This link is no longer valid'}>
        {isEmpty
          ? 'Copy it again from the mail, with its end.'
          : 'It was used before, or is older than 30 minutes.'}
      </Notice>
      <p>
        <Link to="/forgot-password" className={linkClass}>
          Ask for a new link
        </Link>
      </p>
    </div>
  )
}

function Form({ token, onSpent }: { token: string; onSpent: () => void }) {
  const router = useRouter()
  const [form, setForm] = useState({ password: '', confirmation: '' })
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { password, confirmation } = form
  const canSave = isAcceptablePassword(password) && password === confirmation
  const fieldError = fieldErrorsOf(failure)['password']
  const error =
    failure && !fieldError ? errorMessage(failure, 'The password could not be changed') : undefined

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!canSave || isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await resetPassword(token, password)
      toast('success', 'Password changed', { description: 'Log in with your new password.' })
      void router.navigate({ to: '/login', replace: true })
    } catch (refused) {
      if (codeOf(refused) === 'ticket_expired') return onSpent()
      setFailure(refused)
      setBusy(false)
    }
  }
  return (
    <>
      <p className="mt-1 mb-6 text-text-2">You are logged out everywhere, and log in with it afterwards.</p>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <NewPasswordFields
          label="New password"
          confirmLabel="Confirm new password"
          password={password}
          confirmation={confirmation}
          onChange={(part) => setForm({ ...form, ...part })}
          rules={passwordRules}
          maxLength={maxPasswordLength}
          error={fieldError}
        />
        <div role="alert" className={error ? 'text-danger' : 'hidden'}>
          {error}
        </div>
        <Button type="submit" variant="primary" busy={isBusy} disabled={!canSave && !isBusy}>
          Change password
        </Button>
      </form>
    </>
  )
}
