import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { Column, TableProps } from './table-types.ts'
import { useIsMobile } from './use-is-mobile.ts'

/** Widths of a table's own columns, and below which the first, which holds the name, never gets. */
interface OwnWidths {
  selection: string
  actions: string
  minName: string
}
const ownWidths: OwnWidths = { selection: '3rem', actions: '4rem', minName: '12rem' }
/** On a phone names wrap, so that what matters most stands beside them whole. */
const phoneWidths: OwnWidths = { selection: '2.5rem', actions: '3.25rem', minName: '9rem' }
/** A column that shares the rest never gets narrower. */
const minShare = '8rem'
/** The width of a page of which columns get their shares where a table is wider than its box. */
const sharedRem = 40

/** What decides how many columns there is room for. */
export interface ColumnProps<Row> {
  columns: readonly Column<Row>[]
  hasSelection?: boolean
  hasActions?: boolean
  own?: OwnWidths
}

/** The width below which the columns do not fit, as CSS lengths to add up. */
export function minWidths<Row>({
  columns,
  hasSelection,
  hasActions,
  own = ownWidths,
}: ColumnProps<Row>): string[] {
  const widths = columns.map(({ width }, index) =>
    width === undefined || width.endsWith('%') ? (index === 0 ? own.minName : minShare) : width,
  )
  if (hasSelection) widths.push(own.selection)
  if (hasActions) widths.push(own.actions)
  return widths
}

function pixels(length: string, remPx: number): number {
  return Number.parseFloat(length) * (length.endsWith('rem') ? remPx : 1)
}

/** The columns that fit into `roomPx`: extra ones go first, the last of them before the others. */
export function fittingColumns<Row>(
  props: ColumnProps<Row>,
  roomPx: number,
  remPx: number,
): readonly Column<Row>[] {
  let { columns } = props
  const needed = () => {
    // Shares of the whole give way to lengths, but not to a column that gets what is left.
    const hasRest = columns.some(({ width }) => width === undefined)
    return minWidths({ ...props, columns }).reduce((sum, length, index) => {
      const share = columns[index]?.width
      const sharePx = hasRest && share?.endsWith('%') ? (Number.parseFloat(share) / 100) * roomPx : 0
      return sum + Math.max(pixels(length, remPx), sharePx)
    }, 0)
  }
  while (needed() > roomPx) {
    const spare = columns.findLast((column) => column.isExtra)
    if (!spare) return withoutShares({ ...props, columns }, roomPx, remPx)
    columns = columns.filter((column) => column !== spare)
  }
  return columns
}

/** Where shares of the whole would leave too little to the name, they get what is left once it has its room. */
function withoutShares<Row>(props: ColumnProps<Row>, roomPx: number, remPx: number): readonly Column<Row>[] {
  const { columns } = props
  const isShare = ({ width }: Column<Row>, index: number) => index > 0 && width?.endsWith('%') === true
  const shares = columns.filter(isShare).length
  const leastPx = minWidths(props).reduce((sum, length) => sum + pixels(length, remPx), 0)
  if (shares === 0 || columns.some(({ width }, index) => index > 0 && width === undefined)) return columns
  const eachPx = pixels(minShare, remPx) + Math.max(0, roomPx - leastPx) / shares
  return columns.map((column, index) =>
    isShare(column, index) ? { ...column, width: `${eachPx}px` } : column,
  )
}

/**
 * Columns of a table that may be wider than its box. Shares of such a width are made for fewer columns: all together they
 * would leave nothing to the name, so that each gets a length instead.
 */
export function withLengths<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns.map((column, index) => {
    if (!column.width?.endsWith('%')) return column
    const { width: _share, ...rest } = column
    const rem = Math.max(Number.parseFloat(minShare), (Number.parseFloat(column.width) / 100) * sharedRem)
    return index === 0 ? rest : { ...rest, width: `${rem}rem` }
  })
}

/** On a phone the name is followed by what matters most. */
function mobileOrder<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const [name, ...rest] = columns
  if (name === undefined) return columns
  return [name, ...rest.filter((column) => column.isVital), ...rest.filter((column) => !column.isVital)]
}

export interface ShownColumns<Row> {
  columns: readonly Column<Row>[]
  /** Those that are left out for lack of room. */
  hidden: readonly Column<Row>[]
  own: OwnWidths
}

/** The columns to show in a box of the page, as wide as it is now. */
export function useShownColumns<Row>(
  box: RefObject<HTMLElement | null>,
  props: Pick<TableProps<Row>, 'columns' | 'selection' | 'rowActions'>,
  isAllShown: boolean,
): ShownColumns<Row> {
  const isMobile = useIsMobile()
  const roomPx = useRoomPx(box)
  const { columns: all } = props
  const hasSelection = props.selection !== undefined
  const hasActions = props.rowActions !== undefined
  // The same columns from render to render: rows are drawn again only where their own props change.
  return useMemo(() => {
    if (isMobile) return { columns: withLengths(mobileOrder(all)), hidden: [], own: phoneWidths }
    const own = ownWidths
    if (isAllShown) return { columns: withLengths(all), hidden: [], own }
    if (roomPx === Number.POSITIVE_INFINITY) return { columns: all, hidden: [], own }
    const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
    const columns = fittingColumns({ columns: all, hasSelection, hasActions }, roomPx, remPx)
    const shown = new Set(columns.map(({ key }) => key))
    return { columns, hidden: all.filter(({ key }) => !shown.has(key)), own }
  }, [all, hasSelection, hasActions, isMobile, isAllShown, roomPx])
}

/**
 * The width of a box: measured before the first paint, so that no column is seen to go, and then only when it changes,
 * for to ask while rows are drawn would lay out the page in between. Where nothing is laid out it has no end.
 */
function useRoomPx(box: RefObject<HTMLElement | null>): number {
  const [roomPx, setRoomPx] = useState(Number.POSITIVE_INFINITY)
  const measuredPx = useRef(roomPx)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const nextPx = element.clientWidth || Number.POSITIVE_INFINITY
      if (nextPx === measuredPx.current) return
      measuredPx.current = nextPx
      setRoomPx(nextPx)
    }
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return roomPx
}
