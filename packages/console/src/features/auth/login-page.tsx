import { isEmail } from '@bey/contract'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useBackendConnection } from '../../data/health.ts'
import { session } from '../../data/session.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { BackendBanner } from './backend-banner.tsx'
import { EmailVerdict } from './email-verdict.tsx'
import { GodmodeBlock } from './godmode-block.tsx'
import { OauthButtons, OrDivider } from './oauth-buttons.tsx'

/** Logs in; the route then goes on to where one came from. */
export function LoginPage() {
  const connection = useBackendConnection()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isSubmitting, setSubmitting] = useState(false)
  const [error, setError] = useState<string>()
  const isConnected = connection === 'connected'
  const emailField = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // The field can take the focus only once the server has answered; it is not taken from anybody.
    if (isConnected && document.activeElement?.matches('body, main')) emailField.current?.focus()
  }, [isConnected])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isSubmitting || !isConnected || !isEmail(email) || password === '') return
    setSubmitting(true)
    setError(undefined)
    try {
      await session.login({ email, password })
    } catch (failure) {
      setError(errorMessage(failure, 'Failed to login'))
      setSubmitting(false)
    }
  }

  return (
    <AuthLayout>
      <BackendBanner connection={connection} />
      <h1 className="text-title font-semibold">Login to your account</h1>
      <p className="mt-1 mb-6 text-text-2">Enter your email address and password.</p>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label="Email" aside={<EmailVerdict email={email} />}>
          {(control) => (
            <Input
              {...control}
              ref={emailField}
              type="email"
              autoComplete="username"
              placeholder="name@example.com"
              disabled={!isConnected}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Password"
          aside={
            <Link
              to="/forgot-password"
              className="text-text-2 underline-offset-2 hover:text-accent-text hover:underline"
            >
              Forgot your password?
            </Link>
          }
        >
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="current-password"
              disabled={!isConnected}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <div role="alert" className={error ? 'text-danger' : 'hidden'}>
          {error}
        </div>
        <Button
          type="submit"
          variant="primary"
          busy={isSubmitting}
          disabled={!isSubmitting && (!isConnected || !isEmail(email) || password === '')}
        >
          Login
        </Button>
      </form>
      <OrDivider>Or continue with</OrDivider>
      <OauthButtons verb="Login" />
      <p className="mt-6 text-text-2">
        Don&apos;t have an account?{' '}
        <Link
          to="/signup"
          search={(place) => place}
          className="font-medium text-accent-text underline-offset-2 hover:underline"
        >
          Sign up
        </Link>
      </p>
      <GodmodeBlock isConnected={isConnected} />
    </AuthLayout>
  )
}
