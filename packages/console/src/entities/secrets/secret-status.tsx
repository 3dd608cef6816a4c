import type { Secret } from '@bey/contract'
import { useState } from 'react'
import { Status } from '../../ui/status.tsx'
import { secretCondition } from './secret-text.ts'

/** The status of a secret, with what is known of its expiry. */
export function SecretStatus({ secret, variant = 'plain' }: { secret: Secret; variant?: 'plain' | 'badge' }) {
  const [nowMs] = useState(() => Date.now())
  const condition = secretCondition(secret, nowMs)
  return <Status status={condition} variant={variant} />
}
