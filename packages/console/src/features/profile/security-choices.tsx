import type { CallOutput } from '@bey/contract'
import type { ReactNode } from 'react'
import { errorText } from '../../lib/error-text.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRead } from '../../data/use-read.ts'

type Security = CallOutput<'account.security'>

/** What somebody chooses from who has to make their account more secure, once it is known what the account has. */
export function SecurityChoices({ children }: { children: (security: Security) => ReactNode }) {
  const security = useRead('account.security', {})
  if (security.isError) {
    return (
      <ErrorState
        {...errorText('This could not be loaded', security.error)}
        onRetry={() => void security.refetch()}
        isCompact
      />
    )
  }
  if (security.data === undefined) return <Skeleton className="h-48" />
  return <div className="flex flex-col gap-6">{children(security.data)}</div>
}

/** One of them. */
export function SecurityChoice({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
