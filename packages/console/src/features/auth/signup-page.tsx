import { maxPasswordLength, nameError, passwordRules } from '@bey/contract'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { KeyboardEvent, SubmitEvent } from 'react'
import { useBackendConnection } from '../../data/health.ts'
import { session } from '../../data/session.ts'
import { useSignInOptions } from '../../data/sign-in.ts'
import { errorMessage, fieldErrorsOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NewPasswordFields } from '../../ui/new-password-fields.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { BackendBanner } from './backend-banner.tsx'
import { EmailVerdict } from './email-verdict.tsx'
import { OauthButtons, OrDivider } from './oauth-buttons.tsx'
import { canSignUp } from './signup-rules.ts'
import type { SignupForm } from './signup-rules.ts'

const blank: SignupForm = { name: '', organizationName: '', email: '', password: '', confirmation: '' }

/** Creates an account together with its organization. */
export function SignupPage() {
  const connection = useBackendConnection()
  const { from }: { from?: string } = useSearch({ strict: false })
  const [form, setForm] = useState(blank)
  const [isSubmitting, setSubmitting] = useState(false)
  const [error, setError] = useState<string>()
  const [fieldErrors, setFieldErrors] = useState<Readonly<Record<string, string>>>({})
  const isConnected = connection === 'connected'
  const options = useSignInOptions(isConnected)
  const isAllowed = isConnected && canSignUp(form)

  const set = (part: Partial<SignupForm>) => {
    setForm({ ...form, ...part })
    setError(undefined)
  }
  // A disabled button keeps Enter from submitting the form, and so from saying what is wrong.
  const submitByEnter = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    if (!isAllowed && form.password !== form.confirmation) setError('Passwords do not match')
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isSubmitting || !isAllowed) return
    const { name, email, password, organizationName } = form
    setSubmitting(true)
    setError(undefined)
    setFieldErrors({})
    try {
      await session.signup({ name, email, password, organizationName })
    } catch (failure) {
      setFieldErrors(fieldErrorsOf(failure))
      setError(errorMessage(failure, 'Failed to sign up'))
      setSubmitting(false)
    }
  }

  return (
    <AuthLayout>
      <BackendBanner connection={connection} />
      <h1 className="text-title font-semibold">Create an account</h1>
      <p className="mt-1 mb-6 text-text-2">You become the owner of a new organization.</p>
      {options?.signup === 'invite' ? (
        <div className="mb-6">
          <Notice tone="warn" title="Accounts are made by invitation here">
            Ask the operator of this server for an invitation.
          </Notice>
        </div>
      ) : null}
      {/* The keys are those of the fields inside, heard on their way up. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        onSubmit={(event) => void submit(event)}
        onKeyDown={submitByEnter}
        className="flex flex-col gap-4"
      >
        <Field label="Name" error={nameError(form.name) ?? fieldErrors['name']}>
          {(control) => (
            <Input
              {...control}
              autoComplete="name"
              placeholder="Full name"
              disabled={!isConnected}
              value={form.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Organization Name"
          error={nameError(form.organizationName) ?? fieldErrors['organizationName']}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="organization"
              placeholder="Company or team name"
              disabled={!isConnected}
              value={form.organizationName}
              onChange={(event) => set({ organizationName: event.target.value })}
            />
          )}
        </Field>
        <Field label="Email" aside={<EmailVerdict email={form.email} />} error={fieldErrors['email']}>
          {(control) => (
            <Input
              {...control}
              type="email"
              autoComplete="username"
              placeholder="name@example.com"
              disabled={!isConnected}
              value={form.email}
              onChange={(event) => set({ email: event.target.value })}
            />
          )}
        </Field>
        <NewPasswordFields
          label="Password"
          confirmLabel="Confirm Password"
          password={form.password}
          confirmation={form.confirmation}
          onChange={set}
          rules={passwordRules}
          maxLength={maxPasswordLength}
          error={fieldErrors['password']}
          disabled={!isConnected}
        />
        <div role="alert" className={error ? 'text-danger' : 'hidden'}>
          {error}
        </div>
        <Button type="submit" variant="primary" busy={isSubmitting} disabled={!isSubmitting && !isAllowed}>
          Create Account
        </Button>
      </form>
      <OrDivider>Or</OrDivider>
      <OauthButtons verb="Sign up" isConnected={isConnected} options={options} from={from} />
      <p className="mt-6 text-text-2">
        Already have an account?{' '}
        <Link
          to="/login"
          search={(place) => place}
          className="font-medium text-accent-text underline-offset-2 hover:underline"
        >
          Login
        </Link>
      </p>
    </AuthLayout>
  )
}
