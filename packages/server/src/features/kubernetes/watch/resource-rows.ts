import type { KindSource } from './kind-cache.ts'
import type { PrintedColumn } from './list-format.ts'
import type { RowEntry } from './row-entry.ts'
import { rowEntry } from './row-entry.ts'
import type { Table } from './table.ts'

/** A resource that a cluster serves: its name as `plural.group`, and where it is listed over all namespaces. */
export type WatchedResource = { name: string; path: string; isNamespaced: boolean }

/** The rows of one resource as they are now, and how current they are. */
export type ResourceRows = {
  table: Table<RowEntry>
  /** Empty where the API server does not print this resource. */
  columns: readonly PrintedColumn[]
  asOf: string
  isLive: boolean
  /** Since when the cluster does not answer; null while it does. */
  noAnswerSince: string | null
  /** Whether there is no whole list yet: the table holds what has been read of it so far. */
  isPartial: boolean
  /** Objects that the cluster says are still to be read. */
  remaining: number
}

/** What the cache of a cluster calls the rows of a resource; some resources are kept as a kind of their own, too. */
export const rowsKey = ({ name }: WatchedResource) => `rows of ${name}`

export function resourceRows(
  { path, isNamespaced }: WatchedResource,
  onColumns: (columns: PrintedColumn[]) => void,
): KindSource<RowEntry> {
  return { path, isNamespaced, reads: 'cells', onColumns, entry: rowEntry }
}
