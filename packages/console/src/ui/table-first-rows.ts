import { useDeferredValue } from 'react'
import type { RowWindow } from './table-window.ts'

/** As many rows as the screen of a usual desktop shows. */
const firstScreen = 24

interface DrawnRow<Row> {
  row: Row
  index: number
}

const none: readonly never[] = []

/**
 * The rows of `window` to draw in this render. New rows below the first screen wait until the first screen is painted, so
 * that what was asked for is seen in half the time; rows that were drawn before stay. A table that draws only what is
 * seen has nothing to wait for: `isWhole` is false.
 */
export function useDrawnRows<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  window: RowWindow,
  isWhole: boolean,
): readonly DrawnRow<Row>[] {
  const settled = useDeferredValue(rows, none)
  const all = rows
    .slice(window.first, window.end)
    .map((row, offset) => ({ row, index: window.first + offset }))
  if (!isWhole || settled === rows || rows.length <= firstScreen) return all
  const known = new Set(settled.map(rowKey))
  return all.filter(({ row, index }) => index < firstScreen || known.has(rowKey(row)))
}
