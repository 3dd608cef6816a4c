import type { ReactNode } from 'react'
import { LinkedAccountsSection } from './linked-accounts-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { SecurityChoice, SecurityChoices } from './security-choices.tsx'

/** The ways to sign in beside a password; `children`, the way on, are shown once there is one. */
export function SignInChoices({ children }: { children: ReactNode }) {
  return (
    <SecurityChoices>
      {({ passkeys, linkedAccounts }) => (
        <>
          <SecurityChoice id="by-passkey" title="Passkey">
            <PasskeysSection passkeys={passkeys} />
          </SecurityChoice>
          <SecurityChoice id="by-account" title="Linked accounts">
            <LinkedAccountsSection accounts={linkedAccounts} />
          </SecurityChoice>
          {passkeys.length > 0 || linkedAccounts.length > 0 ? children : null}
        </>
      )}
    </SecurityChoices>
  )
}
