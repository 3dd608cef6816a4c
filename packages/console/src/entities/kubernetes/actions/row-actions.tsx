import type { Cluster } from '@bey/contract'
import { useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { Column, TableProps } from '../../../ui/table.tsx'
import type { ActionHost } from './action-host.tsx'
import { addressKey, useActionHost } from './action-host.tsx'
import { ActionMenu } from './action-menu.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { RowOutcome } from './row-outcome.tsx'
import type { ActionAddress } from './run-action.ts'
import { resourcesOf } from '../peek-address.ts'
import { useRowActionKeys } from './row-action-keys.ts'

/** Where the object of a row is within its cluster. */
type RowAddress = Pick<ActionAddress, 'resource' | 'namespace' | 'name'>

interface RowActions<Row> {
  /** The columns, in which the status of a row that was acted on says what became of it. */
  columns: readonly Column<Row>[]
  /** For the table; nothing where rows have no actions. */
  controls: Pick<TableProps<Row>, 'rowActions' | 'selection' | 'rowLabel'>
  /** Covers the end of the toolbar while rows are selected, so that selecting moves nothing. */
  bar: ReactNode
  dialog: ReactNode
}

/**
 * Menus, selection, bulk bar and keys of a list whose rows are objects of clusters. `table.rows` are those on screen, in
 * their order.
 */
export function useRowActions<Row>(
  table: Pick<TableProps<Row>, 'rows' | 'rowKey' | 'columns'>,
  clusterOf: (row: Row) => Pick<Cluster, 'id' | 'title'>,
  rowAddress: ((row: Row) => RowAddress) | undefined,
  atRest?: ReactNode,
): RowActions<Row> {
  const { rows, rowKey, columns } = table
  const host = useActionHost()
  const { start, outcomes } = host
  const [selected, setSelected] = useState<ReadonlyMap<string, ActionAddress>>(new Map())
  const addressOf = useCallback(
    (row: Row): ActionAddress | undefined => {
      const { id: clusterId, title: clusterTitle } = clusterOf(row)
      return rowAddress && { clusterId, clusterTitle, ...rowAddress(row) }
    },
    [clusterOf, rowAddress],
  )
  const shown = useMemo(() => withOutcomes(columns, outcomes, addressOf), [columns, outcomes, addressOf])
  const rowActions = useCallback(
    (row: Row) => {
      const address = addressOf(row)
      return address && <ActionMenu address={address} start={start} />
    },
    [addressOf, start],
  )
  useRowActionKeys(
    (index) => {
      const row = rows?.[index]
      return row && addressOf(row)
    },
    [...selected.values()],
    start,
    resourcesOf(rows, rowAddress),
  )
  if (!rowAddress) return { columns, controls: {}, bar: null, dialog: null }

  const clear = () => {
    setSelected(new Map())
    host.clearOutcomes()
  }
  const select = (keys: ReadonlySet<string>) => {
    // Rows of other pages stay selected.
    const next = new Map([...selected].filter(([key]) => keys.has(key)))
    for (const row of rows ?? []) {
      const key = rowKey(row)
      const address = addressOf(row)
      if (keys.has(key) && address) next.set(key, address)
    }
    setSelected(next)
    if (next.size === 0) host.clearOutcomes()
  }
  const addresses = [...selected.values()]
  const bulkBar = <BulkBar addresses={addresses} host={host} onClear={clear} />
  return {
    columns: shown,
    controls: {
      rowActions,
      selection: { selected: new Set(selected.keys()), onChange: select },
      rowLabel: (row) => addressOf(row)?.name ?? rowKey(row),
    },
    bar:
      addresses.length > 0 ? (
        atRest === undefined ? (
          <div className="relative z-10 h-0 shrink-0">
            <div className="absolute inset-x-0 bottom-0 bg-bg">{bulkBar}</div>
          </div>
        ) : (
          bulkBar
        )
      ) : atRest === undefined ? null : (
        <div className="flex min-h-11 shrink-0 items-center border-b border-line px-(--gutter) text-small text-text-3">
          {atRest}
        </div>
      ),
    dialog: host.dialog,
  }
}

/** The status of a row that was acted on gives way to what became of it. */
function withOutcomes<Row>(
  columns: readonly Column<Row>[],
  outcomes: ActionHost['outcomes'],
  addressOf: (row: Row) => ActionAddress | undefined,
): readonly Column<Row>[] {
  if (outcomes.size === 0) return columns
  const vital = columns.findIndex(({ isVital }) => isVital)
  const at = vital === -1 ? Math.min(1, columns.length - 1) : vital
  return columns.map((column, index) =>
    index === at
      ? {
          ...column,
          cell: (row: Row) => {
            const address = addressOf(row)
            const outcome = address && outcomes.get(addressKey(address))
            return outcome ? <RowOutcome outcome={outcome} /> : column.cell(row)
          },
        }
      : column,
  )
}
