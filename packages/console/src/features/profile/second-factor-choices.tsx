import { session, useUser } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { SecurityChoice, SecurityChoices } from './security-choices.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

/** The two kinds of second factor, and the way on once there is one. */
export function SecondFactorChoices() {
  const email = useUser()?.email ?? ''
  return (
    <SecurityChoices>
      {(security) => (
        <>
          <SecurityChoice id="by-app" title="Authenticator app">
            <TwoFactorSection security={security} email={email} />
          </SecurityChoice>
          <SecurityChoice id="by-passkey" title="Passkey">
            <PasskeysSection passkeys={security.passkeys} />
          </SecurityChoice>
          {security.totp !== null || security.passkeys.length > 0 ? (
            <Button variant="primary" onClick={() => void session.refresh()}>
              Continue to the console
            </Button>
          ) : null}
        </>
      )}
    </SecurityChoices>
  )
}
