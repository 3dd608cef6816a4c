import type { ReactNode } from 'react'
import { cx } from '../../../ui/class-names.ts'

export interface PlainColumn {
  label: string
  /** Figures stand at the right. */
  isFigure?: boolean
  /** Is never broken into lines. */
  isWhole?: boolean
  /** Left out where there is no room. */
  isWide?: boolean
}

/** A small table of a page: few rows, nothing to sort or select. */
export function PlainTable({
  label,
  columns,
  rows,
}: {
  label: string
  columns: readonly PlainColumn[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}) {
  const look = ({ isFigure, isWhole, isWide }: PlainColumn) =>
    cx(
      isFigure === true && 'text-right tabular-nums',
      isWhole === true && 'whitespace-nowrap',
      isWide === true && 'max-md:hidden',
    )
  return (
    <table aria-label={label} className="w-full border-collapse">
      <thead>
        <tr className="border-b border-line text-left text-small text-text-2">
          {columns.map((column) => (
            <th
              key={column.label}
              scope="col"
              className={cx('py-1.5 pr-3 font-normal last:pr-0', look(column))}
            >
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key} className="border-b border-line align-baseline">
            {columns.map((column, index) =>
              index === 0 ? (
                <th key={column.label} scope="row" className="py-2 pr-3 text-left font-medium break-words">
                  {cells[index]}
                </th>
              ) : (
                <td key={column.label} className={cx('py-2 pr-3 last:pr-0', look(column))}>
                  {cells[index]}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
