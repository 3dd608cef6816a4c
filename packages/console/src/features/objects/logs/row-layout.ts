import type { Entry } from '../../../entities/kubernetes/logs/log-store.ts'

/** Height of a line of text, in pixels. */
export const lineHeight = 20

export interface LayoutOptions {
  /** Characters that fit on a line; undefined where lines are not wrapped. */
  columns: number | undefined
  /** JSON lines are shown as they were written, not as message and fields. */
  isRaw: boolean
  /** The entry that is opened in place, and how much taller it is. */
  openId: number | undefined
  openHeight: number
}

/**
 * Where each row of a growing list stands, in pixels. Heights follow from the text alone, since all characters are of
 * the same width, so that no row has to be measured. Only new rows are looked at while list and options stay.
 */
export function createRowLayout() {
  let list: readonly Entry[] | undefined
  let options: LayoutOptions | undefined
  let ends = new Float64Array(1024)
  let count = 0

  function heightOf(entry: Entry, { columns, isRaw, openId, openHeight }: LayoutOptions): number {
    const width = entry.kind !== 'line' ? 0 : isRaw ? entry.text.length : entry.columns
    const lines = columns === undefined ? 1 : Math.max(1, Math.ceil(width / columns))
    return lines * lineHeight + (entry.id === openId ? openHeight : 0)
  }

  function grow(size: number): void {
    if (size <= ends.length) return
    const larger = new Float64Array(Math.max(size, ends.length * 2))
    larger.set(ends.subarray(0, count))
    ends = larger
  }

  return {
    update(entries: readonly Entry[], next: LayoutOptions): void {
      const isSame =
        entries === list &&
        entries.length >= count &&
        options !== undefined &&
        options.columns === next.columns &&
        options.isRaw === next.isRaw &&
        options.openId === next.openId &&
        options.openHeight === next.openHeight
      if (!isSame) count = 0
      list = entries
      options = next
      grow(entries.length)
      let end = count === 0 ? 0 : (ends[count - 1] ?? 0)
      for (let index = count; index < entries.length; index += 1) {
        const entry = entries[index]
        if (entry) end += heightOf(entry, next)
        ends[index] = end
      }
      count = entries.length
    },
    total: () => (count === 0 ? 0 : (ends[count - 1] ?? 0)),
    offsetOf: (index: number) => (index <= 0 ? 0 : (ends[Math.min(index, count) - 1] ?? 0)),
    /** The row at an offset; the last one beyond the end. */
    indexAt(offset: number): number {
      let low = 0
      let high = Math.max(0, count - 1)
      while (low < high) {
        const middle = (low + high) >> 1
        if ((ends[middle] ?? 0) <= offset) low = middle + 1
        else high = middle
      }
      return low
    },
  }
}

export type RowLayout = ReturnType<typeof createRowLayout>
