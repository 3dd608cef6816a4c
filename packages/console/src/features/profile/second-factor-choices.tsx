import { useSecurity } from '../../data/account.ts'
import { session, useUser } from '../../data/session.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

/** The two kinds of second factor, and the way on once there is one. */
export function SecondFactorChoices() {
  const security = useSecurity()
  const email = useUser()?.email ?? ''
  const { data } = security
  if (security.isError) {
    return (
      <ErrorState
        {...errorText('This could not be loaded', security.error)}
        onRetry={() => void security.refetch()}
        isCompact
      />
    )
  }
  if (data === undefined) return <Skeleton className="h-48" />
  const isSet = data.totp !== null || data.passkeys.length > 0
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="by-app" className="flex flex-col gap-2">
        <h2 id="by-app" className="font-semibold">
          Authenticator app
        </h2>
        <TwoFactorSection security={data} email={email} />
      </section>
      <section aria-labelledby="by-passkey" className="flex flex-col gap-2">
        <h2 id="by-passkey" className="font-semibold">
          Passkey
        </h2>
        <PasskeysSection passkeys={data.passkeys} />
      </section>
      {isSet ? (
        <Button variant="primary" onClick={() => void session.refresh()}>
          Continue to the console
        </Button>
      ) : null}
    </div>
  )
}
