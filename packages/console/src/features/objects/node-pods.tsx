import type { NodePod } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { podStatusText } from '../../entities/health/pod-status-text.ts'
import { resourceListHref } from '../../entities/kubernetes/tab-resources.ts'
import { formatBytes, formatCount, formatCpu, formatNumber } from '../../lib/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ofText } from '../../ui/layer-meter.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { UseBar } from '../../ui/use-bar.tsx'

/** The pods of a node, as the server sorts them: what fails first. */
export function NodePods({
  clusterId,
  pods,
  total,
}: {
  clusterId: number
  /** Undefined while they are read. */
  pods: readonly NodePod[] | undefined
  total: number | undefined
}) {
  const isCut = pods !== undefined && total !== undefined && total > pods.length
  return (
    <Section
      title="Pods"
      aside={
        isCut ? (
          <>
            the first {formatNumber(pods.length)} of{' '}
            <Link href={resourceListHref(clusterId, { resource: 'pods', kind: 'Pod' })} className="underline">
              {formatNumber(total)}
            </Link>
          </>
        ) : total === undefined ? undefined : (
          formatCount(total, 'pod')
        )
      }
    >
      <TableCard>
        <Table
          label="Pods"
          columns={columns}
          rows={pods}
          rowKey={({ uid }) => uid}
          rowHref={({ namespace, name }) => objectPath({ clusterId, resource: 'pods', namespace, name })}
          skeletonRows={6}
          empty={
            <EmptyState
              title="No pods"
              description="Nothing runs on this node. Pods appear here as they start."
            />
          }
        />
      </TableCard>
    </Section>
  )
}

const columns: readonly Column<NodePod>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name, owner }) => (
      <Truncated tooltip={owner ? `${name}\nof ${owner}` : name} keepsEnd>
        {name}
      </Truncated>
    ),
  },
  {
    key: 'namespace',
    header: 'Namespace',
    width: '8rem',
    isExtra: true,
    cell: ({ namespace }) => <Truncated>{namespace}</Truncated>,
  },
  {
    key: 'health',
    header: 'Status',
    width: '10rem',
    isVital: true,
    cell: ({ health, status }) => <HealthStatus health={health} label={podStatusText(health, status)} />,
  },
  {
    key: 'cpu',
    header: 'CPU of requested',
    width: '11.5rem',
    className: 'text-small',
    cell: ({ cpu }) => <PodUse use={cpu} format={formatCpu} />,
  },
  {
    key: 'memory',
    header: 'Memory of requested',
    width: '12.25rem',
    className: 'text-small',
    cell: ({ memory }) => <PodUse use={memory} format={formatBytes} />,
  },
  {
    key: 'restarts',
    header: 'Restarts',
    align: 'end',
    width: '5rem',
    cell: ({ restarts }) =>
      restarts > 0 ? <span className="text-text">{formatNumber(restarts)}</span> : '0',
  },
  {
    key: 'createdAt',
    header: 'Age',
    align: 'end',
    width: '6.5rem',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

function PodUse({ use, format }: { use: NodePod['cpu']; format: (value: number) => string }) {
  const { used, requested } = use
  if (requested === 0) {
    return (
      <span className="text-text-3">
        {used === null ? 'none requested' : `${format(used)}, none requested`}
      </span>
    )
  }
  if (used === null) return <span className="tabular-nums">{format(requested)} requested</span>
  return <UseBar used={used} requested={requested} text={ofText(used, requested, format)} />
}
