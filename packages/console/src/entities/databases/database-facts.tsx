import { actorText, databasePlans } from '@bey/contract'
import type { Database } from '../../data/databases.ts'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { DatabaseStatus } from './database-status.tsx'
import { engineText, placeText, planLabels } from './database-text.ts'

/** What is known of a database beside its name. */
export function DatabaseFacts({ database }: { database: Database }) {
  const {
    plan,
    endpoint,
    credential: secret,
    createdBy,
    createdAt,
    figures,
    isProtected,
    lastRestart,
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
        { label: 'Size', value: formatBytes(figures?.sizeBytes) },
        {
          label: 'Connections',
          value:
            figures === null
              ? '—'
              : `${formatNumber(figures.connections)} of ${formatNumber(figures.maxConnections)}`,
        },
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
        { label: 'Deletion protection', value: isProtected ? 'on' : 'off' },
        ...(lastRestart === null
          ? []
          : [{ label: 'Last restart', value: <RelativeTime at={lastRestart.at} /> }]),
        { label: 'Created by', value: actorText(createdBy) },
        { label: 'Created', value: <RelativeTime at={createdAt} /> },
      ]}
    />
  )
}
