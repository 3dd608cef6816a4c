import type { HealthState, WorkloadRow } from '@bey/contract'
import { resourceOfKind } from '@bey/contract'
import type { ReactNode } from 'react'
import { absent, formatNumber } from '../../lib/format.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { HealthCell } from '../health/health-cell.tsx'
import { healthGroupWords } from '../health/health-words.ts'

/** What is a workload to kubectl. */
export const workloadResources = 'deployments,statefulsets,daemonsets,jobs,cronjobs'

/** The object that a workload is. */
export const workloadAddress = ({
  kind,
  namespace,
  name,
}: Pick<WorkloadRow, 'kind' | 'namespace' | 'name'>) => ({
  resource: resourceOfKind(kind) ?? '',
  namespace,
  name,
})

type Key = 'name' | 'health' | 'since' | 'ready' | 'namespace' | 'images' | 'createdAt'

const columns: Record<Key, Column<WorkloadRow>> = {
  name: {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    width: '18%',
    cell: (row) => (
      <span className="block truncate" data-tooltip={`${row.kind} ${row.name}`}>
        {row.name} <span className="font-normal text-text-2">{row.kind}</span>
      </span>
    ),
  },
  health: {
    key: 'health',
    header: 'Health',
    sortKey: 'health',
    width: '25%',
    isVital: true,
    cell: ({ health }) => <HealthCell health={health} />,
  },
  since: {
    key: 'since',
    header: 'Since',
    align: 'end',
    width: '6rem',
    cell: ({ health }) => <RelativeTime at={health.since} />,
  },
  ready: {
    key: 'ready',
    header: 'Ready',
    sortKey: 'ready',
    align: 'end',
    width: '5rem',
    cell: (row) => (row.kind === 'CronJob' ? absent : `${row.ready}/${row.desired}`),
  },
  namespace: {
    key: 'namespace',
    header: 'Namespace',
    sortKey: 'namespace',
    width: '7rem',
    cell: (row) => <Truncated>{row.namespace}</Truncated>,
  },
  images: { key: 'images', header: 'Images', cell: images, isExtra: true },
  createdAt: {
    key: 'createdAt',
    header: 'Age',
    sortKey: 'createdAt',
    align: 'end',
    width: '6.5rem',
    cell: (row) => <RelativeTime at={row.createdAt} />,
  },
}

/** Columns of a list of workloads. */
export function workloadColumns<Row extends WorkloadRow>(keys: readonly Key[]): readonly Column<Row>[] {
  return keys.map((key) => columns[key])
}

/** Registry and folders are the same for most; the whole name stands in the tooltip. */
function images(row: WorkloadRow) {
  const text = row.images.map((image) => image.split('/').at(-1)).join(', ')
  return text ? (
    <span className="block truncate font-mono text-small" data-tooltip={row.images.join('\n')}>
      {text}
    </span>
  ) : (
    absent
  )
}

/** Above the rows of one state of health: its glyph, and how many there are on all pages. */
export function healthHeading(state: HealthState, count: number | undefined): ReactNode {
  return (
    <span className="flex items-center gap-2">
      <Status status={state} label={healthGroupWords[state]} />
      {count === undefined ? null : (
        <span className="font-normal text-text-3 tabular-nums">{formatNumber(count)}</span>
      )}
    </span>
  )
}
