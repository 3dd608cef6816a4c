import type { SqlResult } from '@bey/contract'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { cx } from '../../../ui/class-names.ts'

const rowHeight = 28
/** Characters of a column by which its width is chosen. */
const widths = { least: 6, most: 40, sampled: 100 }

/** Rows of a result, drawn as far as they are seen. Its own scroll area, so that the head stays. */
export function ResultTable({ result }: { result: SqlResult }) {
  const { columns, rows } = result
  const scroll = useRef<HTMLElement>(null)
  // The rule warns users of the React Compiler, which this project does not use.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const drawn = virtual.getVirtualItems()
  const before = drawn[0]?.start ?? 0
  const after = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0)
  return (
    <section
      ref={scroll}
      // A scroll area without a link or button in it is reached by keyboard through its own place in the order.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label="Rows"
      className="max-h-[max(20rem,60vh)] min-h-24 overflow-auto border-y border-line font-mono text-small outline-offset-[-2px]"
    >
      <table
        aria-label="Result"
        aria-rowcount={rows.length + 1}
        className="min-w-full table-fixed border-collapse"
      >
        <colgroup>
          <col style={{ width: '3.5rem' }} />
          {columns.map((_, index) => (
            // Columns of a result have no other identity: two may have the same name.
            // oxlint-disable-next-line react/no-array-index-key
            <col key={index} style={{ width: `${widthOf(result, index)}ch` }} />
          ))}
        </colgroup>
        <thead className="sticky top-0 z-10 bg-bg shadow-[inset_0_-1px_0_var(--line)]">
          <tr>
            <th scope="col" className="px-2 py-1.5">
              <span className="sr-only">Row</span>
            </th>
            {columns.map(({ name, type, isNumeric }, index) => (
              <th
                // oxlint-disable-next-line react/no-array-index-key
                key={index}
                scope="col"
                title={`${name} ${type}`}
                className={cx('truncate px-2 py-1.5 font-normal', isNumeric ? 'text-right' : 'text-left')}
              >
                {name} <span className="font-sans text-text-3">{type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <tr aria-hidden style={{ height: before }} /> : null}
          {drawn.map(({ index }) => (
            <tr
              key={index}
              aria-rowindex={index + 2}
              style={{ height: rowHeight }}
              className="border-b border-line hover:bg-hover"
            >
              <th scope="row" className="px-2 text-right font-normal text-text-3 tabular-nums">
                {index + 1}
              </th>
              {rows[index]?.map((value, column) => (
                <Value
                  // oxlint-disable-next-line react/no-array-index-key
                  key={column}
                  value={value}
                  isNumeric={columns[column]?.isNumeric ?? false}
                />
              ))}
            </tr>
          ))}
          {after > 0 ? <tr aria-hidden style={{ height: after }} /> : null}
        </tbody>
      </table>
    </section>
  )
}

function Value({ value, isNumeric }: { value: string | null; isNumeric: boolean }) {
  const text = value === null ? 'NULL' : value === '' ? '(empty)' : value
  return (
    <td
      title={text.length > widths.most / 2 ? text.slice(0, 1_000) : undefined}
      className={cx(
        'truncate px-2 whitespace-pre',
        isNumeric && 'text-right tabular-nums',
        (value === null || value === '') && 'text-text-3',
      )}
    >
      {text}
    </td>
  )
}

/** In characters: as wide as the name with its type, or as the longest of the first values. */
function widthOf({ columns, rows }: SqlResult, index: number): number {
  const column = columns[index]
  const head = column === undefined ? 0 : column.name.length + column.type.length + 1
  const values = rows.slice(0, widths.sampled).map((row) => row[index]?.length ?? 4)
  return Math.min(widths.most, Math.max(widths.least, head, ...values)) + 3
}
