import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { laterPart } from '../lib/later-part.tsx'
import { Button } from './button.tsx'
import { cx } from './class-names.ts'
import { messagePlacement } from './message-placement.ts'
import type { RowDrawer } from './row-drawer.tsx'
import { ProgressLine } from './progress-line.tsx'
import { useDelayed } from './skeleton.tsx'
import { useRowFocus } from './table-focus.ts'
import { minWidths, useShownColumns } from './table-columns.ts'
import { useDrawnRows } from './table-first-rows.ts'
import { TableHead } from './table-head.tsx'
import { useRowKeys } from './table-keyboard.ts'
import { focusableBox, useSidewaysScroll } from './sideways-scroll.tsx'
import { ScrollHint } from './table-scroll-hint.tsx'
import { SkeletonRows, TableRow } from './table-row.tsx'
import type { TableProps } from './table-types.ts'
import { rowHeight, useRowWindow } from './table-window.ts'

export type { Column, TableProps } from './table-types.ts'

// The type of a generic component is lost where its code is loaded later.
const [LaterRowDrawer, loadRowDrawer] = laterPart(
  async () => (await import('./row-drawer.tsx')).RowDrawer,
) as [typeof RowDrawer, () => Promise<void>]

/** Below this many rows drawing all is quicker than measuring which to draw. */
const virtualFrom = 80
const noRows: readonly never[] = []

/** The one table: sorted, filtered and paged by the server, walked with the keyboard, drawn only where seen. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, rowKey, rowHref, rowLabel, rowActions, selection, expansion } = props
  const { sort, onSortChange, isRefreshing = false, error, isFilled = false } = props
  const box = useRef<HTMLDivElement>(null)
  const [isAllShown, setAllShown] = useState(false)
  const { columns, hidden, own } = useShownColumns(box, props, isAllShown)
  const { hasMore, needsFocus } = useSidewaysScroll(box)
  const isWaiting = useDelayed(rows === undefined && !error)
  const shown = error ? noRows : (rows ?? noRows)
  const keys = shown.map(rowKey)

  const toggleRow = useToggle(keys, selection)
  const isVirtual = isFilled && shown.length >= virtualFrom
  const rowWindow = useRowWindow(box, shown.length, isVirtual)
  const { first } = rowWindow
  const drawn = useDrawnRows(shown, rowKey, rowWindow, !isVirtual)
  const focusRow = useRowFocus(box)
  const [openKey, setOpenKey] = useState<string>()
  const peek = props.peek ?? { current: openKey, open: setOpenKey }
  const peekRow = useLatest((index: number) => {
    const key = keys[index]
    // What opens beneath its row, or closes, does so by the row's own link.
    if (expansion) followLinkOf(box.current, index)
    else if (key !== undefined) peek.open(key)
  })
  const moveTo = useLatest((index: number) => {
    focusRow(index)
    if (peek.current !== undefined) peekRow(index)
  })
  const openRow = openKey === undefined ? undefined : shown.find((row) => rowKey(row) === openKey)
  useRowKeys({
    box,
    count: shown.length,
    page: 10,
    focusRow: moveTo,
    toggleRow,
    peekRow,
  })

  const span = columns.length + (selection ? 1 : 0) + (rowActions ? 1 : 0)
  const height = isVirtual || drawn.length < shown.length ? rowHeight() : 0

  return (
    <div className={cx('relative', isFilled && 'flex min-h-0 flex-1 flex-col')}>
      <ProgressLine active={isRefreshing} />
      <div
        ref={box}
        data-table=""
        onFocus={() => void loadRowDrawer()}
        className={cx(
          'overflow-x-auto',
          isFilled && 'min-h-0 flex-1 overflow-y-auto',
          expansion && '@container',
        )}
        {...focusableBox(needsFocus, label)}
      >
        <table
          aria-label={label}
          aria-busy={rows === undefined || isRefreshing}
          aria-rowcount={isVirtual ? shown.length : undefined}
          style={{
            minWidth: `calc(${minWidths({
              columns,
              hasSelection: selection !== undefined,
              hasActions: rowActions !== undefined,
              own,
            }).join(' + ')})`,
          }}
          className="w-full table-fixed border-separate border-spacing-0"
        >
          <colgroup>
            {selection ? <col style={{ width: own.selection }} /> : null}
            {columns.map((column) => (
              <col key={column.key} style={column.width ? { width: column.width } : undefined} />
            ))}
            {rowActions ? <col style={{ width: own.actions }} /> : null}
          </colgroup>
          <TableHead
            columns={columns}
            sort={sort}
            {...(onSortChange ? { onSortChange } : {})}
            {...(selection ? { selection } : {})}
            {...(rowActions ? { rowActions } : {})}
            rowKeys={keys}
          />
          <tbody>
            {isWaiting ? (
              <SkeletonRows
                count={props.skeletonRows ?? 8}
                columns={columns.length}
                extra={span - columns.length}
              />
            ) : null}
            <Spacer height={first * height} span={span} />
            {drawn.map(({ row, index }) => {
              const key = keys[index] ?? String(index)
              const heading = isVirtual ? undefined : headingOf(shown, index, props.group)
              return [
                heading === undefined ? null : (
                  <GroupHeading key={`group ${key}`} span={span}>
                    {heading}
                  </GroupHeading>
                ),
                <TableRow
                  key={key}
                  columns={columns}
                  {...(rowActions ? { rowActions } : {})}
                  href={rowHref?.(row)}
                  row={row}
                  index={index}
                  label={rowLabel?.(row) ?? key}
                  isSelected={selection?.selected.has(key) ?? false}
                  isPeeked={peek.current === key}
                  isExpanded={expansion && expansion.current === key}
                  onToggle={toggleRow}
                />,
                expansion?.current === key && !isVirtual ? (
                  <ExpandedRow key={`more ${key}`} span={span} className={columns[0]?.className}>
                    {expansion.content(row)}
                  </ExpandedRow>
                ) : null,
              ]
            })}
            <Spacer height={(shown.length - first - drawn.length) * height} span={span} />
          </tbody>
        </table>
        <TableMessage {...props} />
      </div>
      <ScrollHint box={box} hasMore={hasMore && shown.length > 0} hasActions={rowActions !== undefined} />
      {hidden.length > 0 && shown.length > 0 ? (
        <p className="flex min-h-7 shrink-0 flex-wrap items-center gap-x-2 border-t border-line px-(--gutter) text-small text-text-3">
          Hidden at this width: {hidden.map((column) => column.header).join(', ')}
          <button
            type="button"
            onClick={() => setAllShown(true)}
            className="min-h-6 rounded-badge text-text-2 underline hover:text-text"
          >
            Show all columns
          </button>
        </p>
      ) : null}
      {openRow === undefined ? null : (
        <LaterRowDrawer<Row>
          row={openRow}
          title={rowLabel?.(openRow) ?? rowKey(openRow)}
          listLabel={label}
          columns={props.columns}
          href={rowHref?.(openRow)}
          onClose={() => setOpenKey(undefined)}
        />
      )}
    </div>
  )
}

function followLinkOf(box: HTMLElement | null, index: number): void {
  box?.querySelector<HTMLElement>(`[data-row="${index}"] a[data-row-target]`)?.click()
}

function TableMessage<Row>({ rows, error, empty, filter }: TableProps<Row>): ReactNode {
  if (error) return error
  if (rows === undefined || rows.length > 0) return null
  if (!filter) return empty
  return (
    <div data-message="" className={cx('flex flex-col items-start gap-2', messagePlacement)}>
      <p className="font-medium">
        Nothing matches <q className="break-all">{filter.query}</q>
      </p>
      <p className="text-text-2">Check the spelling, or look at everything.</p>
      <Button onClick={filter.onClear} className="mt-1">
        Clear filters
      </Button>
    </div>
  )
}

/** The heading above a row that is the first of its group. */
function headingOf<Row>(
  rows: readonly Row[],
  index: number,
  group: TableProps<Row>['group'],
): ReactNode | undefined {
  const row = rows[index]
  if (!group || row === undefined) return undefined
  const { key, heading } = group(row)
  const before = rows[index - 1]
  return before !== undefined && group(before).key === key ? undefined : heading
}

function GroupHeading({ span, children }: { span: number; children: ReactNode }) {
  return (
    <tr>
      <th
        scope="rowgroup"
        colSpan={span}
        className="h-7 border-b border-line bg-sunken px-(--gutter) text-left text-small font-medium text-text"
      >
        {children}
      </th>
    </tr>
  )
}

/** What is beneath an open row; no wider than what can be seen of a table that scrolls sideways. */
function ExpandedRow({
  span,
  className,
  children,
}: {
  span: number
  className: string | undefined
  children: ReactNode
}) {
  return (
    <tr className="bg-active">
      <td
        colSpan={span}
        className={cx('border-b border-line px-(--gutter) pt-1 pb-4', className, 'after:hidden')}
      >
        <div className="sticky left-10 max-w-[calc(100cqw-5rem)]">{children}</div>
      </td>
    </tr>
  )
}

/** The same function from render to render, which calls the one of the last render. */
function useLatest<Args extends readonly unknown[]>(act: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}

function Spacer({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- only room, no content */}
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  )
}

function useToggle(
  keys: readonly string[],
  selection: TableProps<unknown>['selection'],
): ((index: number, isRange: boolean) => void) | undefined {
  const anchor = useRef<number | null>(null)
  const toggle = useLatest((index: number, isRange: boolean) => {
    const key = keys[index]
    if (key === undefined || !selection) return
    const next = new Set(selection.selected)
    const isOn = !next.has(key)
    const from = isRange && anchor.current !== null ? anchor.current : index
    for (const each of keys.slice(Math.min(from, index), Math.max(from, index) + 1)) {
      if (isOn) next.add(each)
      else next.delete(each)
    }
    anchor.current = index
    selection.onChange(next)
  })
  return selection && toggle
}
