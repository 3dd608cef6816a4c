import { clusterServices } from '@bey/contract'
import type { Database } from '../../../data/databases.ts'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { Link } from '../../../ui/link.tsx'
import { Section } from '../../../ui/section.tsx'

/** Where clients connect, and what each address leads to. */
export function EndpointsSection({ database }: { database: Database }) {
  const endpoints = endpointsOf(database)
  if (endpoints.length === 0) return null
  return (
    <Section
      title="Endpoints"
      aside={
        <Link href={databaseHref(database.id, 'connect')} className="underline hover:text-accent-text">
          Connect
        </Link>
      }
    >
      <ul className="divide-y divide-line border-b border-line">
        {endpoints.map(({ address, leadsTo }) => (
          <li key={address} className="flex items-baseline justify-between gap-4 py-1.5">
            <code className="min-w-0 text-small break-all">{address}</code>
            <span className="shrink-0 text-right text-text-2">{leadsTo}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function endpointsOf({ endpoint, cluster }: Database): { address: string; leadsTo: string }[] {
  if (cluster === null) {
    return endpoint === null
      ? []
      : [{ address: `${endpoint.host}:${endpoint.port}`, leadsTo: endpoint.database }]
  }
  const { write, readOnly } = clusterServices(cluster)
  const port = endpoint?.port ?? 5432
  const replicas = Math.max(0, (cluster.instances ?? 1) - 1)
  return [
    {
      address: `${write}:${port}`,
      leadsTo: `writes${cluster.primary === null ? '' : ` · ${cluster.primary}`}`,
    },
    ...(replicas === 0
      ? []
      : [
          {
            address: `${readOnly}:${port}`,
            leadsTo: `reads · ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`,
          },
        ]),
  ]
}
