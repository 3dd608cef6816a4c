import { session, useCurrentOrganization } from '../../data/session.ts'
import { AuthLayout } from '../../features/auth/auth-layout.tsx'
import { SignInChoices } from '../../features/profile/sign-in-choices.tsx'
import { Button } from '../../ui/button.tsx'
import { OtherWays } from './other-ways.tsx'

/** All that is shown to who logged in with a password where the organization admits none. */
export default function PasswordRefused() {
  const organization = useCurrentOrganization()
  return (
    <AuthLayout>
      <h1 className="text-title font-semibold">Log in another way</h1>
      <p className="mt-1 mb-6 text-text-2">
        You logged in with a password, which{' '}
        <strong className="font-semibold text-text">{organization?.name}</strong> does not admit. Add a
        passkey or link an account, then log in with it.
      </p>
      <SignInChoices>
        <Button variant="primary" className="w-full" onClick={() => void session.logout()}>
          Log out and log in again
        </Button>
      </SignInChoices>
      <OtherWays />
    </AuthLayout>
  )
}
