import type { Secret } from '@bey/contract'
import { useState } from 'react'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { secretCondition } from './secret-text.ts'

/** The status of a secret, with what is known of its expiry. */
export function SecretStatus({ secret, variant = 'plain' }: { secret: Secret; variant?: 'plain' | 'badge' }) {
  const [nowMs] = useState(() => Date.now())
  const condition = secretCondition(secret, nowMs)
  return <Status status={condition} variant={variant} />
}

/** The same in a row, with the reason beside it: when it expires, or when it is gone for good. */
export function SecretRowStatus({ secret }: { secret: Secret }) {
  const at = secret.status === 'pending_deletion' ? secret.purgeAt : secret.expiresAt
  const [nowMs] = useState(() => Date.now())
  const hasReason = secretCondition(secret, nowMs) !== 'active' && secret.status !== 'disabled' && at !== null
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <SecretStatus secret={secret} />
      {hasReason ? <RelativeTime at={at} /> : null}
    </span>
  )
}
