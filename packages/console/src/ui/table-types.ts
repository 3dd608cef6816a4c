import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  header: string
  /** Drawn at the head instead of the words, which name the column elsewhere. */
  headContent?: ReactNode
  cell: (row: Row) => ReactNode
  /** Of the column's cells. */
  className?: string
  /** `end` for figures. */
  align?: 'start' | 'end'
  /** A CSS length, or a share in %; columns without one share the rest evenly. */
  width?: string
  /** The server's name of the order; absent where it cannot sort by this. */
  sortKey?: string
  /** The most important column: on a phone it is placed beside the name, visible without scrolling. */
  isVital?: boolean
  /** Left out where not all columns fit, with a hint below the table. Columns that matter at 1280 px are not extra. */
  isExtra?: boolean
}

interface Sort {
  key: string
  direction: 'asc' | 'desc'
}

interface Selection {
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
}

/**
 * A row whose thing is shown beside the table; Space opens it, and moving to another row shows that one. Without it Space
 * opens a drawer with all that the list knows of the row.
 */
interface Peek {
  /** Key of the row; undefined while nothing is shown. */
  current: string | undefined
  open: (key: string) => void
}

/** A row that is open shows more beneath it. Not drawn in a table of so many rows that only a part is drawn. */
interface Expansion<Row> {
  /** Key of the open row. */
  current: string | undefined
  content: (row: Row) => ReactNode
}

/** Rows that belong together stand under one heading; they have to come in the order of their groups. */
interface RowGroup {
  key: string
  heading: ReactNode
}

export interface TableProps<Row> {
  /** What the rows are: "Clusters". */
  label: string
  columns: readonly Column<Row>[]
  /** `undefined` while they load for the first time. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Where a row leads; the first column becomes the link. Undefined of a row that leads nowhere. */
  rowHref?: (row: Row) => string | undefined
  /** The row in words, for its checkbox. Default: its key. */
  rowLabel?: (row: Row) => string
  /** Buttons or a menu at the end of a row, always visible. */
  rowActions?: (row: Row) => ReactNode
  sort?: Sort | undefined
  onSortChange?: (sort: Sort) => void
  selection?: Selection
  peek?: Peek
  expansion?: Expansion<Row>
  /** Not drawn in a table of so many rows that only a part is drawn. */
  group?: ((row: Row) => RowGroup) | undefined
  /** New data is on its way while the old stays. */
  isRefreshing?: boolean
  /** Shown instead of rows; usually an `ErrorState`. */
  error?: ReactNode
  /** Shown when there is nothing at all; usually an `EmptyState`. */
  empty: ReactNode
  /** Set while a filter is on: shown instead of `empty`. */
  filter?: { query: string; onClear: () => void } | undefined
  skeletonRows?: number
  /** The table takes the rest of its flex column and scrolls by itself, rendering only what can be seen. */
  isFilled?: boolean
}
