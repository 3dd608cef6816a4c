import type { Cluster } from '@bey/contract'
import { clusterLabel } from '@bey/contract'
import { silenceOf } from '../../data/cluster-silence.ts'
import { Status } from '../../ui/status.tsx'
import { HealthStatus } from '../health/health-status.tsx'
import { silenceText } from './silence-text.ts'

/** While a cluster is made, changed or deleted its status; once it runs, its health. */
export function ClusterStatus({
  cluster,
  variant = 'plain',
  isShort = false,
}: {
  cluster: Cluster
  variant?: 'plain' | 'badge'
  /** What is wrong stands beside it. */
  isShort?: boolean
}) {
  const { status, health } = cluster
  if (status !== 'RUNNING') return <Status status={clusterLabel(status)} variant={variant} />
  if (health.state === 'healthy') return <Status status="running" variant={variant} />
  const silence = silenceOf(cluster)
  // A head has room for what is wrong, a row for the state alone.
  const words = variant === 'badge' && !isShort ? (health.detail ?? health.state) : health.state
  return (
    <HealthStatus
      health={health}
      variant={variant}
      label={silence ? silenceText(variant === 'badge' ? silence : { since: null }) : words}
    />
  )
}
