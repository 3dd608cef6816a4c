import { memo } from 'react'
import type { MouseEvent } from 'react'
import { Checkbox } from './checkbox.tsx'
import { cx } from './class-names.ts'
import { Link } from './link.tsx'
import { Skeleton } from './skeleton.tsx'
import type { TableProps } from './table-types.ts'

const cellClass =
  'h-9 overflow-hidden border-b border-line px-3 text-ellipsis whitespace-nowrap first:pl-(--gutter) last:pr-(--gutter) touch:h-11 dense:h-7'

interface RowProps<Row> extends Pick<TableProps<Row>, 'columns' | 'rowActions'> {
  row: Row
  /** Where it leads; as text, which stays equal from render to render. */
  href: string | undefined
  index: number
  /** Names the row's checkbox. */
  label: string
  isSelected: boolean
  /** Its thing is shown beside the table. */
  isPeeked?: boolean
  /** Whether it shows more beneath it; undefined of a row that cannot. */
  isExpanded?: boolean | undefined
  onToggle: ((index: number, isRange: boolean) => void) | undefined
}

// A click anywhere in the row counts as one on its link, with the same modifiers, unless it meant something else.
function followRow(event: MouseEvent<HTMLTableRowElement>) {
  if (!(event.target instanceof Element) || event.target.closest('a,button,input,label,[role="menu"]')) return
  if (window.getSelection()?.isCollapsed === false) return
  const link = event.currentTarget.querySelector<HTMLAnchorElement>('a[data-row-target]')
  const { ctrlKey, metaKey, shiftKey } = event
  link?.dispatchEvent(
    new globalThis.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
  )
}

function TableRowView<Row>({
  columns,
  rowActions,
  row,
  href,
  index,
  label,
  isSelected,
  isPeeked = false,
  isExpanded,
  onToggle,
}: RowProps<Row>) {
  return (
    // The link inside is the keyboard's way; the click on the row is only a larger target for the mouse.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <tr
      data-row={index}
      data-peeked={isPeeked ? '' : undefined}
      {...(href === undefined ? { tabIndex: -1, 'data-row-target': '' } : { onClick: followRow })}
      aria-selected={onToggle ? isSelected : undefined}
      className={cx(
        'group/row -outline-offset-2',
        href !== undefined && 'cursor-pointer',
        isPeeked && 'shadow-[inset_2px_0_0_var(--color-accent)]',
        isSelected
          ? 'bg-accent-soft'
          : isPeeked
            ? 'bg-active'
            : isExpanded
              ? 'bg-sunken'
              : 'hover:bg-hover has-[a:focus-visible]:bg-hover',
      )}
    >
      {onToggle ? (
        <td className={cx(cellClass, 'w-10')}>
          <Checkbox
            aria-label={`Select ${label}`}
            className="block"
            checked={isSelected}
            onChange={(event) =>
              onToggle(index, event.nativeEvent instanceof PointerEvent && event.nativeEvent.shiftKey)
            }
          />
        </td>
      ) : null}
      {columns.map((column, columnIndex) => (
        <td
          key={column.key}
          data-identity={columnIndex === 0 ? '' : undefined}
          className={cx(
            cellClass,
            // Figures alone line up: in names Inter's tabular hyphens tear the words apart.
            column.align === 'end' && 'text-right tabular-nums',
            column.className,
            columnIndex === 0 ? 'font-medium text-text' : 'text-text-2',
          )}
        >
          {columnIndex === 0 && href !== undefined ? (
            <Link
              href={href}
              data-row-target=""
              aria-expanded={isExpanded}
              className="block truncate rounded-badge -outline-offset-1 hover:text-accent-text hover:underline"
            >
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {rowActions ? (
        <td
          className={cx(
            cellClass,
            // On a phone the column is as wide as its button: less room would end in an ellipsis.
            'sticky right-0 bg-bg text-right max-md:pr-1! max-md:pl-0',
            // The tint is translucent, and what scrolls beneath must not shine through.
            isSelected ? 'bg-linear-to-r from-accent-soft to-accent-soft' : 'group-hover/row:bg-hover',
          )}
        >
          {rowActions(row)}
        </td>
      ) : null}
    </tr>
  )
}

// Rows are many and change seldom; memo keeps a live update of one from redrawing all.
export const TableRow = memo(TableRowView) as typeof TableRowView

/** Rows of grey bars with the final geometry. */
export function SkeletonRows({ count, columns, extra }: { count: number; columns: number; extra: number }) {
  return Array.from({ length: count }, (_, row) => (
    <tr key={row} aria-hidden>
      {Array.from({ length: columns + extra }, (_unused, column) => (
        <td key={column} className={cellClass}>
          {column < columns ? (
            <Skeleton className={['w-3/5', 'w-2/5', 'w-1/2', 'w-1/3'][(row + column) % 4] ?? 'w-1/2'} />
          ) : null}
        </td>
      ))}
    </tr>
  ))
}
