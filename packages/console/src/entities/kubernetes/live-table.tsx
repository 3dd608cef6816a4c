import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ListLocation } from '../../lib/list-location.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { laterPart } from '../../lib/later-part.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import type { TableProps } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useRowActions } from './actions/row-actions.tsx'
import type { PeekAddress } from './peek-address.ts'
import { peekText, resourcesOf } from './peek-address.ts'
import { useRowTabKeys } from './row-tab-keys.ts'
import { useSteadyRows } from './steady-rows.ts'

export interface LiveTableProps<Row> extends Omit<TableProps<Row>, 'peek' | 'group' | 'isFilled'> {
  listLocation: ListLocation
  /** The cluster in which a row is; keep the function the same from render to render. */
  clusterOf: (row: Row) => { id: number; title: string }
  /** The object that a row is: for the keys of the row, and for what is shown of it beside the list. */
  rowAddress: ((row: Row) => PeekAddress) | undefined
  /** Which group a row is in, and what stands above the group. */
  groupOf?: ((row: Row) => string) | undefined
  groupHeading?: (group: string) => ReactNode
  page: { page: number; limit: number; total: number; isPartial: boolean } | undefined
  /** A second line of the toolbar, which the bulk bar takes; null keeps its room, and without it the bulk bar covers the toolbar. */
  atRest?: ReactNode
  /** The command that prints the same list. */
  command?: string | undefined
}

const [PeekPanel, loadPeekPanel] = laterPart(async () => (await import('./peek-panel.tsx')).PeekPanel)

const noGroup = () => ''

/**
 * A table whose rows change by themselves: they do not move while somebody points at them or walks through them. Space
 * shows an object beside the list.
 */
export function LiveTable<Row>(props: LiveTableProps<Row>) {
  const { listLocation, clusterOf, rowAddress, groupOf, groupHeading, page, atRest, command, ...table } =
    props
  const [isPointed, setPointed] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const { peek, tab: _tab, ...asked } = listLocation.search
  // Nothing found in the part that has been read does not mean that there is nothing.
  const isUnknown = page?.isPartial === true && table.rows?.length === 0
  const steady = useSteadyRows(isUnknown ? undefined : table.rows, {
    rowKey: table.rowKey,
    groupOf: groupOf ?? noGroup,
    question: JSON.stringify(asked),
    isHeld: isPointed || hasFocus,
  })
  const rows = steady.rows ?? []
  const { columns, controls, bar, dialog } = useRowActions(
    { ...table, rows: steady.rows },
    clusterOf,
    rowAddress,
    atRest,
  )
  const addressAt = (index: number) => {
    const row = rows[index]
    return row && rowAddress?.(row)
  }
  useRowTabKeys(
    (index) => {
      const row = rows[index]
      return row ? clusterOf(row).id : 0
    },
    rowAddress && addressAt,
    resourcesOf(rows, rowAddress),
  )
  const peeked = rowAddress && rows.find((row) => peekOf(row, rowAddress, clusterOf) === peek)
  const address = peeked && rowAddress(peeked)
  return (
    <>
      {bar}
      {steady.movedCount > 0 ? (
        <output className="flex min-h-7 shrink-0 items-center gap-2 border-b border-line px-(--gutter) text-small text-text-2">
          {formatCount(steady.movedCount, 'row')} moved
          <button
            type="button"
            onClick={steady.release}
            className="min-h-6 rounded-badge text-text underline underline-offset-2"
          >
            Sort again
          </button>
        </output>
      ) : null}
      <div className="flex min-h-0 flex-1">
        <div
          className="flex min-w-0 flex-1 flex-col"
          onPointerEnter={() => {
            setPointed(true)
            void loadPeekPanel()
          }}
          onPointerLeave={() => setPointed(false)}
          onFocus={() => {
            setFocus(true)
            void loadPeekPanel()
          }}
          onBlur={(event) => setFocus(event.currentTarget.contains(event.relatedTarget))}
        >
          <Table
            {...table}
            {...controls}
            columns={columns}
            rows={steady.rows}
            isFilled
            {...(rowAddress && {
              peek: {
                current: peeked && table.rowKey(peeked),
                open: (key: string) => {
                  const row = rows.find((each) => table.rowKey(each) === key)
                  if (row) listLocation.change({ peek: peekOf(row, rowAddress, clusterOf) })
                },
              },
            })}
            group={
              groupOf && groupHeading
                ? (row) => {
                    const key = steady.groupOf(row)
                    return { key, heading: groupHeading(key) }
                  }
                : undefined
            }
          />
        </div>
        {peeked && address ? (
          <PeekPanel
            cluster={clusterOf(peeked)}
            address={address}
            onClose={() => listLocation.change({ peek: undefined })}
          />
        ) : null}
      </div>
      <ListFoot count={countText(page)} keys={rowAddress ? rowKeys : plainKeys} command={command} />
      {dialog}
    </>
  )
}

/** Lists over several clusters may hold the same object twice, so that the address says of which cluster it is. */
function peekOf<Row>(
  row: Row,
  rowAddress: (row: Row) => PeekAddress,
  clusterOf: (row: Row) => { id: number },
): string {
  return `${clusterOf(row).id}/${peekText(rowAddress(row))}`
}

const plainKeys = [
  { keys: ['j', 'k'], does: 'move' },
  { keys: ['Enter'], does: 'open' },
  { keys: ['Space'], does: 'peek' },
]
const rowKeys = [
  { keys: ['Enter'], does: 'open' },
  { keys: ['Space'], does: 'peek' },
  { keys: ['x'], does: 'select' },
  { keys: ['l'], does: 'logs' },
  { keys: ['e'], does: 'YAML' },
]

function countText(page: LiveTableProps<unknown>['page']): string | undefined {
  if (!page) return undefined
  const { page: number, limit, total } = page
  if (total === 0) return 'none'
  const first = (number - 1) * limit + 1
  return `${formatNumber(first)}–${formatNumber(Math.min(total, number * limit))} of ${formatNumber(total)}`
}
