import { useCurrentOrganization } from '../../data/session.ts'
import { AuthLayout } from '../../features/auth/auth-layout.tsx'
import { SecondFactorChoices } from '../../features/profile/second-factor-choices.tsx'
import { OtherWays } from './other-ways.tsx'

/** All that is shown to a member whom the organization asks for a second factor, until they have one. */
export default function SecondFactorRequired() {
  const organization = useCurrentOrganization()
  return (
    <AuthLayout>
      <h1 className="text-title font-semibold">Set up a second factor</h1>
      <p className="mt-1 mb-6 text-text-2">
        <strong className="font-semibold text-text">{organization?.name}</strong> asks its members for a
        second proof beside the password. Choose one; you can add the other later.
      </p>
      <SecondFactorChoices />
      <OtherWays />
    </AuthLayout>
  )
}
