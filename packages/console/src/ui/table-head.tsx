import { ArrowDown, ArrowUp } from 'lucide-react'
import { Checkbox } from './checkbox.tsx'
import { cx } from './class-names.ts'
import type { Column, TableProps } from './table-types.ts'

const headClass =
  'sticky top-0 z-10 h-8 overflow-hidden text-ellipsis whitespace-nowrap border-b border-line bg-bg px-3 text-left text-small font-medium text-text-2 first:pl-(--gutter) last:pr-(--gutter)'

type HeadProps<Row> = Pick<
  TableProps<Row>,
  'columns' | 'sort' | 'onSortChange' | 'selection' | 'rowActions'
> & {
  rowKeys: readonly string[]
}

export function TableHead<Row>({
  columns,
  sort,
  onSortChange,
  selection,
  rowActions,
  rowKeys,
}: HeadProps<Row>) {
  const selectedHere = selection ? rowKeys.filter((key) => selection.selected.has(key)).length : 0
  const isAll = rowKeys.length > 0 && selectedHere === rowKeys.length
  return (
    <thead>
      <tr>
        {selection ? (
          <th scope="col" className={cx(headClass, 'w-10')}>
            <Checkbox
              aria-label="Select all rows"
              className="block"
              checked={isAll}
              indeterminate={selectedHere > 0 && !isAll}
              onChange={() =>
                selection.onChange(
                  isAll ? without(selection.selected, rowKeys) : new Set([...selection.selected, ...rowKeys]),
                )
              }
            />
          </th>
        ) : null}
        {columns.map((column) => {
          const isSorted = sort !== undefined && sort.key === column.sortKey
          return (
            <th
              key={column.key}
              scope="col"
              aria-sort={isSorted ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
              className={cx(headClass, column.align === 'end' && 'text-right')}
            >
              {column.sortKey !== undefined && onSortChange ? (
                <SortButton column={column} sort={isSorted ? sort : undefined} onSortChange={onSortChange} />
              ) : (
                (column.headContent ?? column.header)
              )}
            </th>
          )
        })}
        {rowActions ? (
          <th scope="col" className={cx(headClass, 'right-0')}>
            <span className="sr-only">Actions</span>
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

/** What is selected on other pages stays so. */
function without(selected: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  return new Set([...selected].filter((key) => !keys.includes(key)))
}

interface SortButtonProps<Row> extends Required<Pick<TableProps<Row>, 'onSortChange'>> {
  column: Column<Row>
  sort: TableProps<Row>['sort']
}

function SortButton<Row>({ column, sort, onSortChange }: SortButtonProps<Row>) {
  const Arrow = sort?.direction === 'desc' ? ArrowDown : ArrowUp
  const next = sort?.direction === 'asc' ? 'desc' : 'asc'
  return (
    <button
      type="button"
      onClick={() => onSortChange({ key: column.sortKey ?? column.key, direction: next })}
      className={cx(
        'group -mx-1 inline-flex h-6 items-center gap-1 rounded-badge px-1 hover:text-text',
        column.align === 'end' && 'flex-row-reverse',
      )}
    >
      {column.header}
      <Arrow size={12} aria-hidden className={sort ? 'text-text' : 'invisible group-hover:visible'} />
    </button>
  )
}
