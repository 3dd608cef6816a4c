import type { Cell, PrintedColumn } from '../watch/list-format.ts'
import type { RowEntry } from '../watch/row-entry.ts'
import type { Compare } from '../watch/table.ts'
import { byText } from '../watch/table.ts'

/** Orders by which rows of any resource can be sorted: their metadata, or what is printed in a column. */
export function rowOrder(
  sort: string,
  columns: readonly PrintedColumn[],
): { name: string; compare: Compare<RowEntry> } {
  if (sort === 'namespace') return { name: sort, compare: (a, b) => byText(a.namespace, b.namespace) }
  // Newest last, as text in RFC 3339.
  if (sort === 'createdAt') return { name: sort, compare: (a, b) => byText(a.createdAt, b.createdAt) }
  const index = columns.findIndex(({ name }) => name.toLowerCase() === sort.toLowerCase())
  if (index === -1 || sort === 'name') return { name: 'name', compare: (a, b) => byText(a.name, b.name) }
  return {
    name: `column ${index} ${columns[index]?.name}`,
    compare: (a, b) => byCell(a.cells[index] ?? null, b.cells[index] ?? null),
  }
}

/** Numbers by size, texts by their code units, what is missing last. */
export function byCell(a: Cell, b: Cell): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return byText(String(a), String(b))
}
