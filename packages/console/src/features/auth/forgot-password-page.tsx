import { Link } from '@tanstack/react-router'
import { AuthLayout } from './auth-layout.tsx'

/** Says plainly that a reset is not to be had yet, and what helps meanwhile. */
export function ForgotPasswordPage() {
  return (
    <AuthLayout>
      <h1 className="text-title font-semibold">Forgot your password?</h1>
      <p className="mt-2 text-text-2">
        Resetting a password is not available yet on this server: it cannot send reset links so far.
      </p>
      <p className="mt-3 text-text-2">
        If you are logged in somewhere else, that session keeps working. Otherwise ask the person who runs
        this server, or sign up with another email address.
      </p>
      <p className="mt-6">
        <Link to="/login" className="font-medium text-accent-text underline-offset-2 hover:underline">
          Back to login
        </Link>
      </p>
    </AuthLayout>
  )
}
