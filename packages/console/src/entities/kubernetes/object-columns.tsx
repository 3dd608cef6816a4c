import type { ObjectColumn, ObjectRow } from '@bey/contract'
import { absent } from '../../lib/format.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { usageColumn } from './volumes/volume-usage-cell.tsx'

/** Shown by every list in columns of their own. */
const ownColumns = new Set(['name', 'namespace', 'age', 'created at'])

/** Generated names that say little and take much room: they stand last, and go first where there is none. */
const longColumns = new Set(['volume', 'volumeattributesclass'])

/** Columns of any resource: its name, what its volumes hold, what the cluster prints of it, and its age. */
export function objectColumns(
  printed: readonly ObjectColumn[],
  isNamespaced: boolean,
  hasUsage: boolean,
): readonly Column<ObjectRow>[] {
  const namespace: Column<ObjectRow> = {
    key: 'namespace',
    header: 'Namespace',
    sortKey: 'namespace',
    width: '9rem',
    cell: (row) => <Truncated>{row.namespace}</Truncated>,
  }
  return [
    {
      key: 'name',
      header: 'Name',
      sortKey: 'name',
      width: '22%',
      cell: (row) => <Truncated keepsEnd>{row.name}</Truncated>,
    },
    ...(isNamespaced ? [namespace] : []),
    ...(hasUsage ? [usageColumn] : []),
    ...printed
      .map((column, index) => ({ column, index, name: column.name.toLowerCase() }))
      .filter(({ name }) => !ownColumns.has(name))
      .toSorted((a, b) => Number(longColumns.has(a.name)) - Number(longColumns.has(b.name)))
      .map(({ column, index }) => printedColumn(column, index)),
    {
      key: 'createdAt',
      header: 'Age',
      sortKey: 'createdAt',
      align: 'end',
      width: '7.5rem',
      cell: (row) => <RelativeTime at={row.createdAt} />,
    },
  ]
}

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
