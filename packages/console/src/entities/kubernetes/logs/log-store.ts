import type { LogEventRecord, LogRecord, LogSourceRecord } from '@bey/contract'
import { isContinuation, plainLine, severities, severityOf, shownColumns } from './log-text.ts'
import type { Severity } from './log-text.ts'

interface LogEntry {
  /** Grows with each entry of a store. */
  id: number
  source: number
  /** RFC 3339, UTC, nanoseconds. */
  at: string
}

export interface LineEntry extends LogEntry {
  kind: 'line'
  text: string
  severity: Severity
  /** How many characters wide the line is as it is shown. */
  columns: number
}

/** A start, an end, or lines that are missing: a rule across the stream. */
export interface RuleEntry extends LogEntry {
  kind: 'rule'
  event: LogEventRecord | { event: 'disconnected' } | { event: 'dropped'; count: number }
}

export type Entry = LineEntry | RuleEntry

export interface FieldFilter {
  key: string
  value: string
  isExcluded: boolean
}

export interface LogFilter {
  /** Uids of pods whose lines are hidden. */
  hiddenPods: ReadonlySet<string>
  minSeverity: Severity
  fields: readonly FieldFilter[]
}

export interface SourceFigures {
  source: LogSourceRecord
  lines: number
  starts: number
  isGone: boolean
}

export interface LogSnapshot {
  /** What the filter lets through, oldest first. The same array while nothing but its end has changed. */
  visible: readonly Entry[]
  /** Changes whenever anything else does. */
  version: number
  total: number
  errors: number
  warnings: number
  sources: ReadonlyMap<number, SourceFigures>
  isPaused: boolean
  pausedAt: string | undefined
  waiting: number
  /** Lines that came while it was paused and were more than are kept. */
  dropped: number
  hasBegun: boolean
  podCount: number
  problems: readonly { code: string; message: string }[]
}

export interface LogLimits {
  kept: number
  waiting: number
}

const productLimits: LogLimits = { kept: 100_000, waiting: 100_000 }

export const noFilter: LogFilter = { hiddenPods: new Set(), minSeverity: 'none', fields: [] }

/**
 * The lines of a log stream, bounded, and what a filter lets through of them. Everything is kept in plain arrays that
 * grow at their end, so that a batch costs what it holds and not what is there.
 */
export function createLogStore(limits: LogLimits = productLimits) {
  let entries: Entry[] = []
  let visible: Entry[] = []
  let waiting: Entry[] = []
  let filter = noFilter
  let nextId = 1
  let version = 0
  let isPaused = false
  let pausedAt: string | undefined
  let dropped = 0
  let errors = 0
  let warnings = 0
  let hasBegun = false
  let podCount = 0
  let problems: { code: string; message: string }[] = []
  const sources = new Map<number, SourceFigures>()
  const lastSeverity = new Map<number, Severity>()
  const listeners = new Set<() => void>()
  let snapshot: LogSnapshot | undefined

  function changed(): void {
    version += 1
    snapshot = undefined
    for (const listener of listeners) listener()
  }

  function passes(entry: Entry): boolean {
    const pod = sources.get(entry.source)?.source.podUid
    if (pod !== undefined && filter.hiddenPods.has(pod)) return false
    if (entry.kind === 'rule') return true
    if (!isAtLeast(entry.severity, filter.minSeverity)) return false
    return filter.fields.every((field) => hasField(entry.text, field) !== field.isExcluded)
  }

  function put(added: Entry[]): void {
    for (const entry of added) {
      entries.push(entry)
      count(entry, 1)
      if (passes(entry)) visible.push(entry)
    }
    // Cut by a tenth at a time, for each cut copies what is left.
    if (entries.length > limits.kept * 1.1) {
      const cut = entries.slice(0, entries.length - limits.kept)
      for (const entry of cut) count(entry, -1)
      entries = entries.slice(cut.length)
      const firstId = entries[0]?.id ?? 0
      visible = visible.slice(firstIndex(visible, firstId))
    }
  }

  function count(entry: Entry, by: 1 | -1): void {
    if (entry.kind !== 'line') return
    if (entry.severity === 'warn') warnings += by
    if (entry.severity === 'error' || entry.severity === 'fatal') errors += by
  }

  function lineOf(source: number, at: string, raw: string): LineEntry {
    const text = plainLine(raw)
    const own = severityOf(text)
    const severity = own === 'none' && isContinuation(text) ? (lastSeverity.get(source) ?? 'none') : own
    lastSeverity.set(source, severity)
    const figures = sources.get(source)
    if (figures) figures.lines += 1
    return { kind: 'line', id: nextId++, source, at, text, severity, columns: shownColumns(text) }
  }

  function takeEvent(record: LogEventRecord): RuleEntry {
    const figures = sources.get(record.source)
    if (figures && record.event === 'started') figures.starts += 1
    if (figures && record.event === 'pod_deleted') figures.isGone = true
    return { kind: 'rule', id: nextId++, source: record.source, at: record.at, event: record }
  }

  return {
    append(records: readonly LogRecord[]): void {
      const added: Entry[] = []
      for (const record of records) {
        switch (record.type) {
          case 'source':
            sources.set(record.source, { source: record, lines: 0, starts: 0, isGone: false })
            break
          case 'lines':
            for (const [source, at, text] of record.lines) added.push(lineOf(source, at, text))
            break
          case 'event':
            added.push(takeEvent(record))
            break
          case 'begin':
            hasBegun = true
            podCount = record.pods
            problems = []
            // What was missing comes now.
            removeGap()
            break
          case 'problem':
            if (!problems.some(({ message }) => message === record.message))
              problems = [...problems, { code: record.code, message: record.message }]
            break
          case 'end':
          case 'ping':
            break
        }
      }
      if (isPaused) {
        for (const entry of added) waiting.push(entry)
        if (waiting.length > limits.waiting * 1.1) {
          dropped += waiting.length - limits.waiting
          waiting = waiting.slice(-limits.waiting)
        }
      } else put(added)
      changed()
    },

    /** Marks where the connection was lost, until what is missing has come. */
    disconnected(at: string): void {
      removeGap()
      const rule: RuleEntry = { kind: 'rule', id: nextId++, source: 0, at, event: { event: 'disconnected' } }
      if (isPaused) waiting.push(rule)
      else put([rule])
      changed()
    },

    pause(): void {
      if (isPaused) return
      isPaused = true
      pausedAt = entries.at(-1)?.at
      changed()
    },

    resume(): void {
      if (!isPaused) return
      isPaused = false
      const [first] = waiting
      if (dropped > 0 && first) {
        const event = { event: 'dropped', count: dropped } as const
        put([{ kind: 'rule', id: first.id - 0.5, source: 0, at: first.at, event }])
      }
      put(waiting)
      waiting = []
      dropped = 0
      changed()
    },

    setFilter(next: LogFilter): void {
      filter = next
      visible = entries.filter(passes)
      changed()
    },

    clear(): void {
      entries = []
      visible = []
      waiting = []
      errors = 0
      warnings = 0
      dropped = 0
      changed()
    },

    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    snapshot(): LogSnapshot {
      snapshot ??= {
        visible,
        version,
        total: entries.length,
        errors,
        warnings,
        sources,
        isPaused,
        pausedAt,
        waiting: waiting.length,
        dropped,
        hasBegun,
        podCount,
        problems,
      }
      return snapshot
    },
  }

  function removeGap(): void {
    const isGap = (entry: Entry) => entry.kind === 'rule' && entry.event.event === 'disconnected'
    // It is among the last: nothing comes while there is no connection.
    const index = entries.findLastIndex(isGap)
    if (index !== -1) entries.splice(index, 1)
    const shown = visible.findLastIndex(isGap)
    if (shown !== -1) visible = visible.toSpliced(shown, 1)
    waiting = waiting.filter((entry) => !isGap(entry))
  }
}

export type LogStore = ReturnType<typeof createLogStore>

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
