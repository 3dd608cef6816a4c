import type { ReactNode } from 'react'
import { useSecurity } from '../../data/account.ts'
import { errorText } from '../../lib/error-text.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LinkedAccountsSection } from './linked-accounts-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'

/** The ways to sign in beside a password; `children`, the way on, are shown once there is one. */
export function SignInChoices({ children }: { children: ReactNode }) {
  const security = useSecurity()
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
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="by-passkey" className="flex flex-col gap-2">
        <h2 id="by-passkey" className="font-semibold">
          Passkey
        </h2>
        <PasskeysSection passkeys={data.passkeys} />
      </section>
      <section aria-labelledby="by-account" className="flex flex-col gap-2">
        <h2 id="by-account" className="font-semibold">
          Linked accounts
        </h2>
        <LinkedAccountsSection accounts={data.linkedAccounts} />
      </section>
      {data.passkeys.length > 0 || data.linkedAccounts.length > 0 ? children : null}
    </div>
  )
}
