import type { Cluster, ClusterOverview } from '@bey/contract'
import { useNamespaceFigures } from '../../data/kubernetes.ts'
import { AttentionList } from '../../entities/health/attention-list.tsx'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { ClusterMetrics, useClusterCurves } from './cluster-metrics.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Section } from '../../ui/section.tsx'
import { Link } from '../../ui/link.tsx'
import { NodeCells, NodeCellSkeletons } from '../../ui/node-cells.tsx'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import type { NamespaceRow } from '@bey/contract'
import { sinceText } from '../../ui/time-text.ts'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { isUnread } from './unread-kinds.ts'
import { nodePeekHref } from '../../entities/kubernetes/peek-address.ts'
import { ResourceFreshness } from '../../entities/kubernetes/resource-list.tsx'

interface Props {
  cluster: Cluster
  overview: ClusterOverview | undefined
}

/** Nodes with their pods, and what needs attention. */
export function OverviewMap({ cluster, overview }: Props) {
  return (
    // A tree of its own once the figures are here: what takes the place of the skeletons does not push them.
    <div key={overview ? 'figures' : 'waiting'} className="flex min-w-0 flex-col gap-8">
      <Section
        title="Nodes"
        aside={
          overview ? (
            <span className="flex items-center gap-3">
              <span className="max-md:hidden">{countsText(overview)}</span>
              <ResourceFreshness page={overview} />
            </span>
          ) : null
        }
      >
        {overview && isUnread(overview, 'nodes') ? (
          <p className="text-text-2">
            The account that Bey uses in this cluster may not read nodes.{' '}
            <Link
              href={clusterHref(cluster.id, 'connection')}
              className="text-text underline hover:text-accent-text"
            >
              Its rights
            </Link>
          </p>
        ) : overview ? (
          <NodeCells
            nodes={overview.nodeMap}
            prefix={`${cluster.title}-`}
            isStale={!overview.isLive}
            hrefOf={(name) =>
              name === null ? clusterHref(cluster.id, 'pods?health=failing') : nodePeekHref(cluster.id, name)
            }
          />
        ) : (
          <NodeCellSkeletons count={Math.min(9, cluster.metadata.nodeCount)} />
        )}
      </Section>
      {overview && overview.attention.items.length > 0 ? (
        <div className="max-md:order-first">
          <AttentionList attention={overview.attention} />
        </div>
      ) : null}
    </div>
  )
}

/** What was measured of the cluster, on one time axis. */
export function OverviewCurves({ cluster, overview }: Props) {
  const curves = useClusterCurves(cluster.id)
  return (
    <PanelBoundary panel="Over time">
      <ClusterMetrics
        cluster={cluster}
        curves={curves}
        isMeasured={overview && overview.capacity.cpuMillicores.used !== null}
        trouble={troubleOf(overview)}
      />
    </PanelBoundary>
  )
}

/** "5 of 5 ready, 30 pods, 15 workloads, 6 namespaces". */
function countsText(overview: ClusterOverview): string {
  const { nodes, pods, workloads, namespaces } = overview
  return [
    isUnread(overview, 'nodes') ? null : `${formatNumber(nodes.ready)} of ${formatNumber(nodes.total)} ready`,
    formatCount(pods.total, 'pod'),
    formatCount(workloads, 'workload'),
    isUnread(overview, 'namespaces') ? null : formatCount(namespaces, 'namespace'),
  ]
    .filter(Boolean)
    .join(', ')
}

function troubleOf(overview: ClusterOverview | undefined) {
  const { state, since } = overview?.health ?? {}
  if (state !== 'failing' || !since) return undefined
  return { since: Date.parse(since), text: `failing since ${sinceText(since)}` }
}

export function Namespaces({ cluster }: { cluster: Cluster }) {
  const list = useNamespaceFigures(cluster.id)
  const { data } = list
  const failure = failureOf('Failed to fetch namespaces', list)
  return (
    <Section title="Namespaces" aside={data ? formatCount(data.total, 'namespace') : undefined}>
      <TableCard>
        <Table
          label="Namespaces"
          columns={columns}
          rows={data?.namespaces.slice(0, shownNamespaces)}
          rowKey={(row) => row.uid}
          rowHref={(row) => clusterHref(cluster.id, `pods?namespace=${encodeURIComponent(row.name)}`)}
          skeletonRows={4}
          error={failure && <ErrorState {...failure} />}
          empty={<EmptyState title="No namespaces" description="Every cluster has some once it runs." />}
        />
      </TableCard>
      {data && data.total > shownNamespaces ? (
        <p className="mt-2 text-small text-text-2">
          The first {shownNamespaces} by name. Choose any of them in the lists of pods and workloads.
        </p>
      ) : null}
    </Section>
  )
}

const shownNamespaces = 20

const columns: readonly Column<NamespaceRow>[] = [
  { key: 'name', header: 'Name', width: '44%', cell: (row) => row.name },
  { key: 'health', header: 'Status', width: '11rem', cell: (row) => <HealthStatus health={row.health} /> },
  { key: 'pods', header: 'Pods', align: 'end', width: '5rem', cell: (row) => formatNumber(row.podCount) },
  {
    key: 'createdAt',
    header: 'Age',
    align: 'end',
    width: '7.5rem',
    cell: (row) => <RelativeTime at={row.createdAt} />,
  },
]
