import type { Entry } from './entries.ts'

export type Compare<E> = (a: E, b: E) => number

/** The entries of one kind of one cluster, in as many orders as are asked for. */
export type Table<E extends Entry> = {
  size(): number
  values(): Iterable<E>
  upsert(entry: E): void
  remove(entry: E): void
  replaceAll(entries: Iterable<E>): void
  /**
   * Entries in the order named `name`, kept from then on; `compare` must always be the same for a name. Do not
   * change the answer nor keep it: it changes with the table.
   */
  sorted(name: string, compare: Compare<E>): readonly E[]
  /** Grows with every change, for what is computed from the table and kept. */
  version(): number
}

/** Each change costs a binary search per order in use, so that 10,000 entries page in well under a millisecond. */
export function createTable<E extends Entry>(): Table<E> {
  const entries = new Map<string, E>()
  const orders = new Map<string, { compare: Compare<E>; rows: E[] }>()
  let version = 0

  const keyOf = (entry: Entry) => `${entry.namespace}/${entry.name}`

  function drop(entry: E): void {
    for (const { compare, rows } of orders.values()) {
      const index = indexOf(rows, entry, compare)
      if (rows[index] === entry) rows.splice(index, 1)
    }
  }

  return {
    size: () => entries.size,
    values: () => entries.values(),
    version: () => version,
    upsert(entry) {
      version += 1
      const key = keyOf(entry)
      const before = entries.get(key)
      if (before) drop(before)
      entries.set(key, entry)
      for (const { compare, rows } of orders.values()) rows.splice(indexOf(rows, entry, compare), 0, entry)
    },
    remove(entry) {
      const before = entries.get(keyOf(entry))
      if (!before) return
      version += 1
      drop(before)
      entries.delete(keyOf(entry))
    },
    replaceAll(all) {
      version += 1
      entries.clear()
      orders.clear()
      for (const entry of all) entries.set(keyOf(entry), entry)
    },
    sorted(name, compare) {
      let order = orders.get(name)
      if (!order) {
        const total: Compare<E> = (a, b) =>
          compare(a, b) || byText(a.namespace, b.namespace) || byText(a.name, b.name)
        order = { compare: total, rows: [...entries.values()].sort(total) }
        orders.set(name, order)
      }
      return order.rows
    },
  }
}

/** Place of an entry, or where it belongs. Orders are total, so equal means the same namespace and name. */
function indexOf<E>(rows: readonly E[], entry: E, compare: Compare<E>): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const row = rows[middle]
    if (row !== undefined && compare(row, entry) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** By code unit: names are ASCII, and this is ten times quicker than a locale's order. */
export function byText(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -1 : 1
}
