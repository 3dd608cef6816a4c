import type { Network } from '../../data/networks.ts'
import { Status } from '../../ui/status.tsx'
import { momentText } from '../../ui/time-text.ts'

/** How a network is doing. */
export function NetworkStatus({ network, variant }: { network: Network; variant?: 'badge' }) {
  const { status, reason, statusSince, driftCount } = network
  const label =
    status === 'degraded'
      ? driftCount === 1
        ? '1 policy drifted'
        : driftCount > 1
          ? `${driftCount} policies drifted`
          : 'needs attention'
      : status === 'error'
        ? 'failed'
        : status
  const title = [reason, `since ${momentText(statusSince)}`].filter(Boolean).join(' · ')
  return <Status status={status} label={label} title={title} {...(variant && { variant })} />
}
