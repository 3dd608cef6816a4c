import { Link, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useBackendConnection } from '../../data/health.ts'
import { useSignInOptions } from '../../data/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { BackendBanner } from './backend-banner.tsx'
import { GodmodeBlock } from './godmode-block.tsx'
import { LoginFields } from './login-fields.tsx'
import { OauthButtons, OrDivider } from './oauth-buttons.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { SecondFactorStep } from './second-factor-step.tsx'
import { useLogin } from './use-login.ts'

/** Logs in; the route then goes on to where one came from. */
export function LoginPage() {
  const connection = useBackendConnection()
  const isConnected = connection === 'connected'
  const login = useLogin({ isEnabled: isConnected })
  const options = useSignInOptions(isConnected)
  const { from }: { from?: string } = useSearch({ strict: false })
  const [expiry, setExpiry] = useState<string>()
  const emailField = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // The field can take the focus only once the server has answered; it is not taken from anybody.
    if (isConnected && document.activeElement?.matches('body, main')) emailField.current?.focus()
  }, [isConnected])

  if (login.challenge) {
    return (
      <AuthLayout>
        <BackendBanner connection={connection} />
        <h1 className="text-title font-semibold">Confirm that it is you</h1>
        <p className="mt-1 mb-6 text-text-2">Your account asks for a second factor.</p>
        <SecondFactorStep
          challenge={login.challenge}
          onBack={(reason) => {
            setExpiry(reason)
            login.setChallenge(undefined)
          }}
        />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout>
      <BackendBanner connection={connection} />
      <h1 className="text-title font-semibold">Login to your account</h1>
      <p className="mt-1 mb-6 text-text-2">Enter your email address and password.</p>
      {expiry ? <p className="mb-4 text-danger">{expiry}</p> : null}
      <form onSubmit={login.submit} className="flex flex-col gap-4">
        <LoginFields
          login={login}
          disabled={!isConnected}
          emailRef={emailField}
          passwordAside={
            <Link
              to="/forgot-password"
              className="text-text-2 underline-offset-2 hover:text-accent-text hover:underline"
            >
              Forgot your password?
            </Link>
          }
        />
        <Button
          type="submit"
          variant="primary"
          busy={login.isSubmitting}
          disabled={!login.isSubmitting && (!isConnected || !login.isComplete)}
        >
          Login
        </Button>
      </form>
      <OrDivider>Or continue with</OrDivider>
      <OauthButtons verb="Login" isConnected={isConnected} options={options} from={from} />
      <PasskeyButton isConnected={isConnected} options={options} />
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
