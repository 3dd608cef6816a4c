import type { Capacity, Dashboard } from '@bey/contract'
import { absent, formatBytes, formatCpu, formatNumber, formatPercent } from '../../lib/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'

type Row = Dashboard['clusterRows'][number]

const shownRows = 8

/** Each running cluster with what it holds. */
export function ClusterFigures({ rows }: { rows: readonly Row[] | undefined }) {
  return (
    <Section
      title="Running clusters"
      aside={
        <Link href="/kubernetes/clusters" className="text-text-2 underline hover:text-accent-text">
          All clusters
        </Link>
      }
    >
      <TableCard>
        <Table
          label="Running clusters"
          columns={columns}
          rows={rows?.slice(0, shownRows)}
          rowKey={(row) => String(row.id)}
          rowHref={(row) => `/kubernetes/clusters/${row.id}`}
          rowLabel={(row) => row.title}
          skeletonRows={3}
          empty={
            <EmptyState
              title="No cluster is running"
              description="Figures appear here as soon as one is, and answers."
            />
          }
        />
      </TableCard>
    </Section>
  )
}

const columns: readonly Column<Row>[] = [
  { key: 'title', header: 'Name', width: '30%', cell: (row) => row.title },
  {
    key: 'nodes',
    header: 'Nodes ready',
    width: '7rem',
    align: 'end',
    cell: (row) => `${row.nodes.ready}/${row.nodes.total}`,
  },
  { key: 'pods', header: 'Pods', width: '5rem', align: 'end', cell: (row) => formatNumber(row.pods.total) },
  {
    key: 'cpu',
    header: 'CPU requested',
    width: '9rem',
    align: 'end',
    cell: ({ capacity }) => <Share {...capacity.cpuMillicores} format={formatCpu} />,
  },
  {
    key: 'memory',
    header: 'Memory requested',
    width: '11rem',
    align: 'end',
    cell: ({ capacity }) => <Share {...capacity.memoryBytes} format={formatBytes} />,
  },
]

function Share({
  requested,
  allocatable,
  format,
}: Pick<Capacity['cpuMillicores'], 'requested' | 'allocatable'> & { format: (value: number) => string }) {
  if (allocatable === 0) return absent
  return (
    <span data-tooltip={`${format(requested)} of ${format(allocatable)}`}>
      {formatPercent(requested / allocatable)}
    </span>
  )
}
