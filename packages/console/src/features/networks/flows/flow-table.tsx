import type { FlowMap } from '@bey/contract'
import { formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { type Column, Table } from '../../../ui/table.tsx'
import { edgeLabel, nodeText, portsText, wayHref } from './flow-text.ts'

type Edge = FlowMap['edges'][number]

/** The ways of a map as rows, each leading to why it is open or closed. */
export function FlowTable({ map, clusterId }: { map: FlowMap; clusterId: number }) {
  const names = new Map(map.nodes.map((node) => [node.id, nodeText(node, node.id)]))
  const columns: Column<Edge>[] = [
    { key: 'from', header: 'From', cell: ({ from }) => names.get(from) ?? from },
    { key: 'to', header: 'To', isVital: true, cell: ({ to }) => names.get(to) ?? to },
    {
      key: 'state',
      header: 'State',
      width: '8rem',
      cell: (edge) => (
        <span className={cx(edge.state === 'refused' && 'text-danger')}>{edgeLabel(edge)}</span>
      ),
    },
    { key: 'ports', header: 'Ports', cell: (edge) => portsText(edge) },
    {
      key: 'passed',
      header: 'Let through',
      align: 'end',
      width: '7rem',
      cell: ({ observed }) => formatNumber(observed?.passed),
    },
    {
      key: 'dropped',
      header: 'Refused',
      align: 'end',
      width: '6rem',
      cell: ({ observed }) => formatNumber(observed?.dropped),
    },
    {
      key: 'last',
      header: 'Last seen',
      align: 'end',
      width: '8rem',
      cell: ({ observed }) => (observed?.lastSeenAt ? <RelativeTime at={observed.lastSeenAt} /> : '—'),
    },
  ]
  return (
    <Table
      label="Flows"
      columns={columns}
      rows={map.edges}
      rowKey={({ from, to }) => `${from} ${to}`}
      rowHref={(edge) => wayHref(clusterId, edge)}
      isFilled
      empty={<EmptyState title="No way like this" description="Choose another state, namespace or port." />}
    />
  )
}
