import type { LogEventRecord, LogSourceRecord } from '@bey/contract'
import type { LineEntry, RuleEntry, SourceFigures } from './log-store.ts'
import { isContinuation, plainLine, severityOf, shownColumns } from './log-text.ts'
import type { Severity } from './log-text.ts'

/** The containers that a stream reads, and the entries that its records become. Entries are numbered as they come. */
export function createLogSources() {
  const sources = new Map<number, SourceFigures>()
  const lastSeverity = new Map<number, Severity>()
  const told = new Set<string>()
  let nextId = 1

  return {
    all: sources as ReadonlyMap<number, SourceFigures>,
    newId: () => nextId++,
    podOf: (source: number) => sources.get(source)?.source.podUid,
    add(record: LogSourceRecord): void {
      sources.set(record.source, { source: record, lines: 0, starts: 0, isGone: false })
    },
    line(source: number, at: string, raw: string): LineEntry {
      const text = plainLine(raw)
      const own = severityOf(text)
      const severity = own === 'none' && isContinuation(text) ? (lastSeverity.get(source) ?? 'none') : own
      lastSeverity.set(source, severity)
      const figures = sources.get(source)
      if (figures) figures.lines += 1
      return { kind: 'line', id: nextId++, source, at, text, severity, columns: shownColumns(text) }
    },
    /** Undefined for what was told before: a stream that goes on tells the end of the run it had come to once more. */
    event(record: LogEventRecord): RuleEntry | undefined {
      const { podUid, container } = sources.get(record.source)?.source ?? {}
      const key = `${podUid} ${container} ${record.event} ${record.restart}`
      if (podUid !== undefined && told.has(key)) return undefined
      told.add(key)
      const figures = sources.get(record.source)
      if (figures && record.event === 'started') figures.starts += 1
      if (figures && record.event === 'pod_deleted') figures.isGone = true
      return { kind: 'rule', id: nextId++, source: record.source, at: record.at, event: record }
    },
    disconnected: (at: string): RuleEntry => ({
      kind: 'rule',
      id: nextId++,
      source: 0,
      at,
      event: { event: 'disconnected' },
    }),
  }
}
