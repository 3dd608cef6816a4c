import { isLate, placeOf, withLate } from './late-entries.ts'
import type { Entry, FieldFilter, LogFilter } from './log-store.ts'
import { severities } from './log-text.ts'
import type { Severity } from './log-text.ts'

export const noFilter: LogFilter = { hiddenPods: new Set(), minSeverity: 'none', fields: [] }

/**
 * The lines that are kept, at most `max` and a tenth, and what a filter lets through of them. Everything is in plain
 * arrays that grow at their end, so that a batch costs what it holds and not what is there. Only a line that came late
 * moves others: it is placed by its time.
 */
export function createKeptLines(
  max: number,
  podOf: (source: number) => string | undefined,
  newId: () => number,
) {
  let entries: Entry[] = []
  let visible: Entry[] = []
  let filter = noFilter
  let errors = 0
  let warnings = 0

  function passes(entry: Entry): boolean {
    const pod = podOf(entry.source)
    if (pod !== undefined && filter.hiddenPods.has(pod)) return false
    if (entry.kind === 'rule') return true
    if (!isAtLeast(entry.severity, filter.minSeverity)) return false
    return filter.fields.every((field) => hasField(entry.text, field) !== field.isExcluded)
  }

  function count(entry: Entry, by: 1 | -1): void {
    if (entry.kind !== 'line') return
    if (entry.severity === 'warn') warnings += by
    if (entry.severity === 'error' || entry.severity === 'fatal') errors += by
  }

  /** Adds entries that begin with a late one. */
  function place(added: readonly Entry[]): void {
    let earliest = added[0]?.at ?? ''
    for (const { source, at } of added) if (source !== 0 && at < earliest) earliest = at
    const from = placeOf(entries, earliest)
    const tail = entries.slice(from)
    const placed = withLate(tail, added, entries[from - 1]?.id ?? 0, newId)
    visible = visible.slice(0, firstIndex(visible, tail[0]?.id ?? Infinity)).concat(placed.filter(passes))
    entries = entries.slice(0, from).concat(placed)
    for (const entry of added) count(entry, 1)
  }

  return {
    figures: () => ({ visible, total: entries.length, errors, warnings }),
    lastAt: () => entries.at(-1)?.at,
    put(added: readonly Entry[]): void {
      for (const [index, entry] of added.entries()) {
        if (isLate(entry, entries.at(-1))) {
          place(added.slice(index))
          break
        }
        entries.push(entry)
        count(entry, 1)
        if (passes(entry)) visible.push(entry)
      }
      // Cut by a tenth at a time, for each cut copies what is left.
      if (entries.length <= max * 1.1) return
      const cut = entries.slice(0, entries.length - max)
      for (const entry of cut) count(entry, -1)
      entries = entries.slice(cut.length)
      const firstId = entries[0]?.id ?? 0
      visible = visible.slice(firstIndex(visible, firstId))
    },
    setFilter(next: LogFilter): void {
      filter = next
      visible = entries.filter(passes)
    },
    /** Removes the last entry for which it is so; others are never removed one by one. */
    removeLast(isSelected: (entry: Entry) => boolean): void {
      const index = entries.findLastIndex(isSelected)
      if (index !== -1) entries.splice(index, 1)
      const shown = visible.findLastIndex(isSelected)
      if (shown !== -1) visible = visible.toSpliced(shown, 1)
    },
    clear(): void {
      entries = []
      visible = []
      errors = 0
      warnings = 0
    },
  }
}

function isAtLeast(severity: Severity, least: Severity): boolean {
  // A line that says nothing of its severity is as good as information.
  const rank = (each: Severity) => severities.indexOf(each === 'none' ? 'info' : each)
  return least === 'none' || rank(severity) >= rank(least)
}

function hasField(text: string, { key, value }: FieldFilter): boolean {
  if (!text.startsWith('{')) return false
  try {
    const found = (JSON.parse(text) as Record<string, unknown>)[key]
    return (typeof found === 'string' ? found : JSON.stringify(found)) === value
  } catch {
    return false
  }
}

/** The index of the first entry with this id or a later one. */
export function firstIndex(entries: readonly Entry[], id: number): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.id ?? Infinity) < id) low = middle + 1
    else high = middle
  }
  return low
}
