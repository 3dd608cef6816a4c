import type { Cluster, ClusterOverview } from '@bey/contract'
import { ClusterStatus } from '../../entities/clusters/cluster-status.tsx'
import { NetworkMembership } from '../../entities/networks/network-membership.tsx'
import { formatBytes, formatCount, formatCpu } from '../../lib/format.ts'
import { labelTexts } from '../../lib/label-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Identifier } from '../../ui/code-block.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { providerLabels } from '../../entities/clusters/cluster-text.ts'
import { actorText } from '@bey/contract'

/** What is known about a cluster without asking it, and its version as it says itself. */
export function ClusterFacts({
  cluster,
  overview,
  isWide = false,
}: {
  cluster: Cluster
  overview: ClusterOverview | undefined
  /** Side by side, where nothing else stands beside it. */
  isWide?: boolean
}) {
  const facts: Fact[] = [
    { label: 'Status', value: <ClusterStatus cluster={cluster} /> },
    { label: 'Kubernetes API', value: <Reachability cluster={cluster} /> },
    { label: 'Provider', value: <Badge>{providerLabels[cluster.provider]}</Badge> },
    ...(cluster.region ? [{ label: 'Region', value: cluster.region }] : []),
    ...(cluster.description ? [{ label: 'Description', value: cluster.description }] : []),
    ...(Object.keys(cluster.labels).length > 0
      ? [{ label: 'Labels', value: <ClusterLabels labels={cluster.labels} /> }]
      : []),
    {
      label: 'Version',
      value: overview?.kubernetesVersion || cluster.version || 'not reported by the cluster',
    },
    { label: 'Network', value: <NetworkMembership of={{ clusterId: cluster.id }} /> },
    { label: 'Created', value: <RelativeTime at={cluster.createdAt} /> },
    ...(cluster.replacedAt
      ? [{ label: 'Restored or replaced', value: <RelativeTime at={cluster.replacedAt} /> }]
      : []),
    ...(cluster.lastRestart
      ? [{ label: 'Control plane restarted', value: <LastRestart restart={cluster.lastRestart} /> }]
      : []),
    { label: 'Created by', value: actorText(cluster.createdBy) },
    { label: 'Id', value: <Identifier value={String(cluster.id)} /> },
  ]
  return (
    <div className={isWide ? 'grid items-start gap-x-8 gap-y-6 lg:grid-cols-2' : 'flex flex-col gap-6'}>
      <Section title="Cluster information">
        <Facts facts={facts} />
      </Section>
      <Section title="Node groups">
        <Facts
          facts={cluster.nodeGroups.map((group) => ({
            label: group.name,
            value: (
              <>
                {formatCount(group.count, 'node')}{' '}
                <span className="text-text-2">
                  × {formatCpu(group.cpuCores * 1000)}, {formatBytes(group.memoryBytes)}
                </span>
              </>
            ),
          }))}
        />
      </Section>
    </div>
  )
}

function ClusterLabels({ labels }: { labels: Cluster['labels'] }) {
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {labelTexts(labels).map((text) => (
        <Badge key={text}>{text}</Badge>
      ))}
    </span>
  )
}

/** Why the control plane's uptime is younger than the cluster. */
function LastRestart({ restart }: { restart: NonNullable<Cluster['lastRestart']> }) {
  return (
    <span className="block">
      <RelativeTime at={restart.at} />
      <span className="block text-small text-text-2">{restart.reason}</span>
    </span>
  )
}

function Reachability({ cluster }: { cluster: Cluster }) {
  const { state, since, reason } = cluster.reachability
  if (cluster.status !== 'RUNNING') return <span className="text-text-3">—</span>
  return (
    <span
      className="inline-flex flex-wrap items-center justify-end gap-x-2"
      data-tooltip={reason ?? undefined}
    >
      <Status
        status={state === 'unknown' ? 'pending' : state}
        label={state === 'unknown' ? 'not asked yet' : undefined}
      />
      {since ? (
        <span className="text-small text-text-3">
          since <RelativeTime at={since} />
        </span>
      ) : null}
    </span>
  )
}
