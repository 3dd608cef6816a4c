import type { Secret } from '@bey/contract'
import { Status } from '../../ui/status.tsx'
import { secretCondition } from './secret-text.ts'

/** The status of a secret, with what is known of its expiry. */
export function SecretStatus({ secret, variant = 'plain' }: { secret: Secret; variant?: 'plain' | 'badge' }) {
  const condition = secretCondition(secret, Date.now())
  return <Status status={condition} variant={variant} />
}
