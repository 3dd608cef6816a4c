import type { ObjectColumn, ObjectRow, ObjectUsers } from '@bey/contract'
import { absent } from '../../lib/format.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { HealthCell } from '../health/health-cell.tsx'
import { storageColumns } from './volumes/storage-columns.ts'
import { usageColumn } from './volumes/volume-usage-cell.tsx'

/** Shown by every list in columns of their own. */
const ownColumns = new Set(['name', 'namespace', 'age', 'created at'])

/** Columns of any resource: its name, what its volumes hold, what the cluster prints of it, and its age. */
export function objectColumns(
  printed: readonly ObjectColumn[],
  {
    isNamespaced,
    hasUsage,
    hasHealth,
    hasUsers = false,
  }: { isNamespaced: boolean; hasUsage: boolean; hasHealth: boolean; hasUsers?: boolean },
): readonly Column<ObjectRow>[] {
  const namespace: Column<ObjectRow> = {
    key: 'namespace',
    header: 'Namespace',
    sortKey: 'namespace',
    width: hasUsage ? '8rem' : '9rem',
    cell: (row) => <Truncated>{row.namespace}</Truncated>,
  }
  const own = printed.flatMap((column, index) =>
    ownColumns.has(column.name.toLowerCase()) ? [] : [printedColumn(column, index)],
  )
  return [
    {
      key: 'name',
      header: 'Name',
      sortKey: 'name',
      width: '22%',
      cell: (row) => <Truncated keepsEnd>{row.name}</Truncated>,
    },
    ...(hasHealth ? [healthColumn] : []),
    ...(isNamespaced ? [namespace] : []),
    ...(hasUsage ? [usageColumn] : []),
    ...(hasUsers ? [usersColumn] : []),
    ...(hasUsage ? storageColumns(own) : own),
    {
      key: 'createdAt',
      header: 'Age',
      sortKey: 'createdAt',
      align: 'end',
      width: hasUsage ? '6.5rem' : '7.5rem',
      cell: (row) => <RelativeTime at={row.createdAt} />,
    },
  ]
}

const healthColumn: Column<ObjectRow> = {
  key: 'health',
  header: 'Health',
  sortKey: 'health',
  width: '32%',
  isVital: true,
  cell: ({ health }) => (health ? <HealthCell health={health} /> : absent),
}

const usersColumn: Column<ObjectRow> = {
  key: 'users',
  header: 'Used by',
  sortKey: 'users',
  width: '32%',
  cell: ({ users }) => (users ? <Users {...users} /> : absent),
}

function Users({ total, first }: ObjectUsers) {
  if (total === 0) {
    const reach =
      'No workload, pod, ingress or gateway of the cluster names it. A program may still read it through the Kubernetes API.'
    return (
      <span className="text-text-3" data-tooltip={reach}>
        nothing names it
      </span>
    )
  }
  const more = total > first.length ? ` and ${total - first.length} more` : ''
  const tooltip = `${first.map(({ kind, name }) => `${kind} ${name}`).join(', ')}${more}`
  return <Truncated tooltip={tooltip}>{`${first.map(({ name }) => name).join(', ')}${more}`}</Truncated>
}

/** Services alone have health in these lists. */
export const hasServiceHealth = (resource: string) => resource === 'services'

/** What needs somebody comes first, where that is known. */
export const objectSort = (resource: string) =>
  ({ key: hasServiceHealth(resource) ? 'health' : 'name', direction: 'asc' }) as const

function printedColumn({ name, type, priority }: ObjectColumn, index: number): Column<ObjectRow> {
  const isFigure = type === 'integer' || type === 'number'
  return {
    key: `printed-${index}`,
    header: name,
    sortKey: name.toLowerCase(),
    ...(isFigure && { align: 'end' as const, width: '7rem' }),
    // The first says what state it is in; the rest goes where there is no room, the last first.
    ...((priority > 0 || index > 1) && { isExtra: true }),
    cell: (row) => {
      const text = row.cells[index]
      return text === null || text === undefined || text === '' || text === '<none>' ? (
        absent
      ) : (
        <Truncated>{text}</Truncated>
      )
    },
  }
}
