import { actorText, databasePlans } from '@bey/contract'
import type { Database } from '../../data/databases.ts'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { type Fact, Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { NetworkMembership } from '../networks/network-membership.tsx'
import { DatabaseStatus } from './database-status.tsx'
import { engineText, isExternal, placeText, planLabels, sizeLabel } from './database-text.ts'
import { LastDrill } from './last-drill.tsx'

export interface DatabaseFactsProps {
  database: Database
  /** Labels of facts that stand beside these already. */
  without?: readonly string[]
}

/** What is known of a database beside its name. */
export function DatabaseFacts({ database, without = [] }: DatabaseFactsProps) {
  const {
    plan,
    endpoint,
    credential: secret,
    createdBy,
    createdAt,
    figures,
    isProtected,
    lastRestart,
    cluster,
  } = database
  return (
    <Facts
      facts={[
        { label: 'Status', value: <DatabaseStatus database={database} /> },
        { label: 'Engine', value: engineText(database) },
        { label: 'Where', value: placeText(database) },
        {
          label: 'Address',
          value:
            endpoint === null ? (
              '—'
            ) : (
              <code className="text-small">{`${endpoint.host}:${endpoint.port}`}</code>
            ),
        },
        ...(plan === null
          ? []
          : [
              {
                label: 'Plan',
                value: `${planLabels[plan]}, ${formatBytes(databasePlans[plan].memoryBytes)}`,
              },
            ]),
        ...(cluster === null ? [] : clusterFacts(cluster)),
        {
          label: sizeLabel(database),
          value:
            figures?.sizeLimitBytes == null
              ? formatBytes(figures?.sizeBytes)
              : `${formatBytes(figures.sizeBytes)} of ${formatBytes(figures.sizeLimitBytes)}`,
        },
        {
          label: 'Connections',
          value:
            figures === null
              ? '—'
              : `${formatNumber(figures.connections)} of ${formatNumber(figures.maxConnections)}`,
        },
        ...(isExternal(database)
          ? []
          : [{ label: 'Proven restore', value: <LastDrill drills={database.drills} /> }]),
        {
          label: 'Password',
          value:
            secret === null ? (
              'none'
            ) : (
              <Link href={`/secrets/${secret.id}`} className="text-accent-text hover:underline">
                {secret.name}
              </Link>
            ),
        },
        { label: 'Network', value: <NetworkMembership of={{ databaseId: database.id }} /> },
        { label: 'Deletion protection', value: isProtected ? 'on' : 'off' },
        ...(lastRestart === null
          ? []
          : [{ label: 'Last restart', value: <RelativeTime at={lastRestart.at} /> }]),
        { label: 'Created by', value: actorText(createdBy) },
        { label: 'Created', value: <RelativeTime at={createdAt} /> },
      ].filter(({ label }) => !without.includes(label))}
    />
  )
}

function clusterFacts(cluster: NonNullable<Database['cluster']>): Fact[] {
  const { name, instances, readyInstances, primary, storage, storageClass, phase } = cluster
  return [
    { label: 'Cluster', value: <Truncated>{name}</Truncated> },
    { label: 'Instances', value: instances === null ? '—' : `${readyInstances ?? 0} of ${instances} ready` },
    { label: 'Primary', value: primary === null ? '—' : <Truncated>{primary}</Truncated> },
    { label: 'Volume', value: [storage ?? '—', storageClass].filter(Boolean).join(', ') },
    { label: 'Phase', value: phase ? <Truncated>{phase}</Truncated> : '—' },
  ]
}
