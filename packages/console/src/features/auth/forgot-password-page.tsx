import { isEmail } from '@bey/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useBackendConnection } from '../../data/health.ts'
import { requestPasswordReset } from '../../data/sign-in.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { BackendBanner } from './backend-banner.tsx'
import { EmailVerdict } from './email-verdict.tsx'

/** Asks for a link to choose a new password. What it answers does not say whether the address has an account. */
export function ForgotPasswordPage() {
  const connection = useBackendConnection()
  const isConnected = connection === 'connected'
  const [email, setEmail] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [sent, setSent] = useState<{ email: string; sendsMail: boolean }>()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!isEmail(email) || isBusy || !isConnected) return
    setBusy(true)
    setError(undefined)
    try {
      setSent({ email: email.trim(), ...(await requestPasswordReset(email)) })
    } catch (failure) {
      setError(errorMessage(failure, 'The link could not be requested'))
    }
    setBusy(false)
  }

  return (
    <AuthLayout>
      <BackendBanner connection={connection} />
      <h1 className="text-title font-semibold">Forgot your password?</h1>
      {sent ? (
        <Sent {...sent} />
      ) : (
        <>
          <p className="mt-1 mb-6 text-text-2">
            Enter the address of your account to receive a link. It works once, for 30 minutes.
          </p>
          <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
            <Field label="Email" aside={<EmailVerdict email={email} />}>
              {(control) => (
                <Input
                  {...control}
                  type="email"
                  autoComplete="username"
                  placeholder="name@example.com"
                  disabled={!isConnected}
                  value={email}
                  onChange={(event) => setEmail(event.target.value)}
                />
              )}
            </Field>
            <div role="alert" className={error ? 'text-danger' : 'hidden'}>
              {error}
            </div>
            <Button
              type="submit"
              variant="primary"
              busy={isBusy}
              disabled={!isBusy && (!isConnected || !isEmail(email))}
            >
              Send link
            </Button>
          </form>
        </>
      )}
      <p className="mt-6">
        <Link to="/login" className="font-medium text-accent-text underline-offset-2 hover:underline">
          Back to login
        </Link>
      </p>
    </AuthLayout>
  )
}

function Sent({ email, sendsMail }: { email: string; sendsMail: boolean }) {
  return (
    <output className="mt-3 flex flex-col gap-3 text-text-2">
      <span className="block">
        If <span className="font-medium break-all text-text">{email}</span> has an account, a link to choose a
        new password is on its way.
      </span>
      {sendsMail ? (
        <span className="block">
          Nothing in your mailbox after a few minutes? Look in the spam folder, and check the address.
        </span>
      ) : (
        <span className="block">
          This server sends no mail: the link is in a file on the server, for its operator. Ask them to pass
          it on to you.
        </span>
      )}
    </output>
  )
}
