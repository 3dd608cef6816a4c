import type { Cluster } from '@bey/contract'
import { useClusters } from '../../data/clusters.ts'
import { useRead } from '../../data/use-read.ts'
import { ClusterStatus } from '../../entities/clusters/cluster-status.tsx'
import { clusterHref, providerLabels } from '../../entities/clusters/cluster-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { absent, formatCount } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { TableCard } from '../../ui/table-card.tsx'

/** Where clusters come from: what can be made here, and what can be taken in. */
export function ProviderSection() {
  const providers = useRead('clusters.providers', {})
  const failure = failureOf('Failed to fetch the providers', providers)
  return (
    <Section title="Providers">
      {failure && !providers.data ? <ErrorState {...failure} isCompact /> : null}
      <ul className="divide-y divide-line border-y border-line">
        {providers.data?.providers.map(({ id, label, description, capacity, maxNodes }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
            <span className="min-w-0 flex-1 basis-80">
              <span className="font-medium">{label}</span>
              <span className="block text-text-2">{description}</span>
              <span className="block text-small text-text-3">
                At most {formatCount(maxNodes, 'node')} each
                {capacity ? `, ${capacity.sandboxes} of ${capacity.maxSandboxes} on this machine` : ''}
              </span>
            </span>
            <ButtonLink size="small" href="/kubernetes/clusters/create">
              Create cluster
            </ButtonLink>
          </li>
        ))}
        <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
          <span className="min-w-0 flex-1 basis-80">
            <span className="font-medium">{providerLabels.kubeconfig}</span>
            <span className="block text-text-2">
              Clusters that exist already, by kubeconfig. Private and loopback addresses are allowed unless
              BEY_OUTBOUND forbids them; link-local and metadata addresses never are.
            </span>
          </span>
          <ButtonLink size="small" href="/kubernetes/clusters/import">
            Import clusters
          </ButtonLink>
        </li>
      </ul>
    </Section>
  )
}

const shown = 50

/** The clusters whose connections are listed. */
export const useConnections = () => useClusters({ limit: shown, sort: 'title', order: 'asc' })

/** How each cluster of the organization is reached, and whether it answers. */
export function ConnectionSection() {
  const list = useConnections()
  const failure = failureOf('Failed to fetch the clusters', list)
  const rest = (list.data?.total ?? 0) - shown
  return (
    <Section
      title="Connections"
      aside={
        rest > 0 ? (
          <Link href="/kubernetes/clusters" className="underline hover:text-accent-text">
            {formatCount(rest, 'more cluster')}
          </Link>
        ) : null
      }
    >
      {failure && !list.data ? <ErrorState {...failure} isCompact /> : null}
      <TableCard>
        <Table
          label="Connections"
          columns={columns}
          rows={list.data?.clusters}
          rowKey={(cluster) => String(cluster.id)}
          rowLabel={(cluster) => cluster.title}
          rowHref={(cluster) => clusterHref(cluster.id, 'connection')}
          skeletonRows={3}
          empty={
            <EmptyState
              title="No clusters yet"
              description="Create a sandbox, or import a cluster that exists already."
            />
          }
        />
      </TableCard>
    </Section>
  )
}

const columns: readonly Column<Cluster>[] = [
  { key: 'title', header: 'Cluster', cell: ({ title }) => title },
  {
    key: 'provider',
    header: 'Provider',
    width: '7rem',
    cell: ({ provider }) => <Badge>{providerLabels[provider]}</Badge>,
  },
  { key: 'status', header: 'Status', width: '10rem', cell: (cluster) => <ClusterStatus cluster={cluster} /> },
  {
    key: 'api',
    header: 'Kubernetes API',
    width: '14rem',
    cell: ({ status, reachability: { state, since, reason } }) =>
      status === 'RUNNING' && state !== 'unknown' ? (
        <span className="inline-flex items-center gap-1.5" data-tooltip={reason ?? undefined}>
          <Status status={state} />
          {since ? (
            <span className="text-small text-text-3">
              <RelativeTime at={since} />
            </span>
          ) : null}
        </span>
      ) : (
        absent
      ),
  },
  {
    key: 'isVerified',
    header: 'Certificate',
    width: '8rem',
    cell: ({ isVerified }) => (isVerified ? 'verified' : <Status status="warning" label="not verified" />),
  },
]
