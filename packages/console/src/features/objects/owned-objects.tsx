import type { Health, OwnedObject } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { useMemo } from 'react'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { podStatusText } from '../../entities/health/pod-status-text.ts'
import { absent, formatNumber } from '../../lib/format.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import type { Column } from '../../ui/table.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Table } from '../../ui/table.tsx'
import { withoutPrefix } from '../../ui/node-ticks.ts'
import { Truncated } from '../../ui/truncated.tsx'
import type { ObjectSubject } from './object-tabs.tsx'

interface Props {
  clusterId: number
  detail: ObjectSubject['detail']
}

/** The pods that an object keeps running, the worst first; nothing for what has none. */
export function OwnedPods({
  cluster,
  detail: { owned, ownedTotal },
}: Pick<ObjectSubject, 'cluster' | 'detail'>) {
  const columns = useMemo(() => podColumnsOf(cluster.title), [cluster.title])
  const pods = owned.filter(({ pod }) => pod !== null).toSorted(byTrouble)
  if (pods.length === 0) return null
  const ready = pods.filter(({ health }) => health?.state === 'healthy').length
  const isCut = ownedTotal > owned.length
  return (
    <OwnedTable
      title="Pods"
      aside={
        isCut ? `the first ${pods.length}` : `${formatNumber(ready)} of ${formatNumber(pods.length)} healthy`
      }
      columns={columns}
      rows={pods}
      clusterId={cluster.id}
    />
  )
}

/** What else belongs to an object: its replica sets and jobs. */
export function OwnedObjects({ clusterId, detail: { owned, ownedTotal } }: Props) {
  const others = owned.filter(({ pod }) => pod === null)
  if (others.length === 0) return null
  const isCut = ownedTotal > owned.length
  return (
    <OwnedTable
      title="Owned objects"
      aside={isCut ? `the first ${others.length}` : formatNumber(others.length)}
      columns={otherColumns}
      rows={others}
      clusterId={clusterId}
    />
  )
}

function OwnedTable({
  title,
  aside,
  columns,
  rows,
  clusterId,
}: {
  title: string
  aside: string
  columns: readonly Column<OwnedObject>[]
  rows: readonly OwnedObject[]
  clusterId: number
}) {
  return (
    <Section title={title} aside={aside}>
      <TableCard>
        <Table
          label={title}
          columns={columns}
          rows={rows}
          rowKey={(row) => `${row.kind}/${row.namespace}/${row.name}`}
          rowHref={(row) => objectPath({ clusterId, ...row, resource: row.resource ?? '' })}
          empty={null}
        />
      </TableCard>
    </Section>
  )
}

const ranks: Record<Health['state'], number> = {
  failing: 0,
  degraded: 1,
  unknown: 2,
  starting: 3,
  healthy: 4,
}
const rank = ({ health }: OwnedObject) => ranks[health?.state ?? 'unknown']
const byTrouble = (a: OwnedObject, b: OwnedObject) => rank(a) - rank(b)

const status: Column<OwnedObject> = {
  key: 'status',
  header: 'Status',
  width: '11rem',
  isVital: true,
  cell: (row) =>
    row.health ? (
      <HealthStatus health={row.health} label={statusText(row, row.health)} />
    ) : (
      (row.status ?? absent)
    ),
}

const age: Column<OwnedObject> = {
  key: 'createdAt',
  header: 'Age',
  align: 'end',
  width: '6.5rem',
  cell: (row) => <RelativeTime at={row.createdAt} />,
}

const podColumnsOf = (cluster: string): readonly Column<OwnedObject>[] => [
  { key: 'name', header: 'Name', cell: (row) => <Truncated keepsEnd>{row.name}</Truncated> },
  status,
  {
    key: 'ready',
    header: 'Ready',
    align: 'end',
    width: '4rem',
    cell: ({ pod }) => (pod ? `${pod.readyContainers}/${pod.containers}` : absent),
  },
  {
    key: 'restarts',
    header: 'Restarts',
    align: 'end',
    width: '5.5rem',
    cell: ({ pod }) => formatNumber(pod?.restarts),
  },
  {
    key: 'node',
    header: 'Node',
    width: '9rem',
    isExtra: true,
    cell: ({ pod }) =>
      pod?.node ? <Truncated tooltip={pod.node}>{withoutPrefix(pod.node, `${cluster}-`)}</Truncated> : absent,
  },
  { ...age, isExtra: true },
]

const otherColumns: readonly Column<OwnedObject>[] = [
  { key: 'name', header: 'Name', cell: (row) => <Truncated keepsEnd>{row.name}</Truncated> },
  { key: 'kind', header: 'Kind', width: '7rem', cell: (row) => row.kind },
  status,
  age,
]

function statusText({ kind, status: text }: OwnedObject, health: Health): string | undefined {
  if (text === null) return undefined
  return kind === 'Pod' ? podStatusText(health, text) : text
}
