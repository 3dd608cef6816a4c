import type { LogEventRecord, LogRecord, LogSourceRecord } from '@bey/contract'
import { createKeptLines } from './kept-lines.ts'
import { createLogSources } from './log-sources.ts'
import type { Severity } from './log-text.ts'

interface LogEntry {
  /** Grows from the first to the last entry of a store. */
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
  /** What the filter lets through, in order of time. The same array while nothing but its end has changed. */
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

/** The lines of a log stream, bounded, and those that came while it was paused. */
export function createLogStore(limits: LogLimits = productLimits) {
  const sources = createLogSources()
  const lines = createKeptLines(limits.kept, sources.podOf, sources.newId)
  let waiting: Entry[] = []
  let version = 0
  let isPaused = false
  let pausedAt: string | undefined
  let dropped = 0
  let hasBegun = false
  let podCount = 0
  let problems: { code: string; message: string }[] = []
  const listeners = new Set<() => void>()
  let snapshot: LogSnapshot | undefined

  function changed(): void {
    version += 1
    snapshot = undefined
    for (const listener of listeners) listener()
  }

  function take(record: LogRecord, added: Entry[]): void {
    switch (record.type) {
      case 'source':
        return sources.add(record)
      case 'lines':
        for (const [source, at, text] of record.lines) added.push(sources.line(source, at, text))
        return
      case 'event': {
        const entry = sources.event(record)
        if (entry !== undefined) added.push(entry)
        return
      }
      case 'begin':
        hasBegun = true
        podCount = record.pods
        problems = []
        // What was missing comes now.
        return removeGap()
      case 'problem':
        if (!problems.some(({ message }) => message === record.message))
          problems = [...problems, { code: record.code, message: record.message }]
        return
      case 'end':
      case 'ping':
    }
  }

  function wait(added: readonly Entry[]): void {
    for (const entry of added) waiting.push(entry)
    if (waiting.length <= limits.waiting * 1.1) return
    dropped += waiting.length - limits.waiting
    waiting = waiting.slice(-limits.waiting)
  }

  /** Nothing comes while there is no connection, so that the gap is among the last. */
  function removeGap(): void {
    lines.removeLast(isGap)
    waiting = waiting.filter((entry) => !isGap(entry))
  }

  return {
    append(records: readonly LogRecord[]): void {
      const added: Entry[] = []
      for (const record of records) take(record, added)
      if (isPaused) wait(added)
      else lines.put(added)
      changed()
    },

    /** Marks where the connection was lost, until what is missing has come. */
    disconnected(at: string): void {
      removeGap()
      const rule = sources.disconnected(at)
      if (isPaused) waiting.push(rule)
      else lines.put([rule])
      changed()
    },

    pause(): void {
      if (isPaused) return
      isPaused = true
      pausedAt = lines.lastAt()
      changed()
    },

    resume(): void {
      if (!isPaused) return
      isPaused = false
      const [first] = waiting
      if (dropped > 0 && first) {
        const event = { event: 'dropped', count: dropped } as const
        lines.put([{ kind: 'rule', id: first.id - 0.5, source: 0, at: first.at, event }])
      }
      lines.put(waiting)
      waiting = []
      dropped = 0
      changed()
    },

    setFilter(next: LogFilter): void {
      lines.setFilter(next)
      changed()
    },

    clear(): void {
      lines.clear()
      waiting = []
      dropped = 0
      changed()
    },

    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    snapshot(): LogSnapshot {
      snapshot ??= {
        ...lines.figures(),
        version,
        sources: sources.all,
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
}

const isGap = (entry: Entry) => entry.kind === 'rule' && entry.event.event === 'disconnected'

export type LogStore = ReturnType<typeof createLogStore>
