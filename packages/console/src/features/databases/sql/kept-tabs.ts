import { readJson, storage } from '../../../lib/storage.ts'
import type { SqlTabs, SqlTabText } from './sql-tabs.ts'

/** Databases whose tabs are kept: those that were written last. */
const mostKept = 10
/** Local storage holds about 5 MB for all pages of the console. */
const longestText = 100_000

/** Statements that set a password are not written to the browser's disk; they last as long as the page. */
const secret = /\b(?:password|identified\s+by|secret|token|api_?key)\s*(?:=|:=|=>|to)?\s*(?:e?'|\$\w*\$)/i

/** What was written in the console of a database by a user, before the page was loaded. */
export function keptTabs(key: string): SqlTabs | undefined {
  const kept = all()[key]
  if (!isRecord(kept) || !Array.isArray(kept['tabs'])) return undefined
  const tabs = kept['tabs'].flatMap(readTab)
  const [first] = tabs
  if (first === undefined) return undefined
  const current = kept['current']
  return { tabs, current: tabs.some(({ id }) => id === current) ? String(current) : first.id }
}

/** Keeps the tabs of a user and database, without any result. */
export function keepTabs(key: string, { tabs, current }: SqlTabs, nowMs = Date.now()): void {
  const kept = tabs.filter(({ text }) => text.length <= longestText && !secret.test(text))
  const { [key]: _before, ...others } = all()
  const newest = Object.entries({ ...others, [key]: { tabs: kept, current, keptAt: nowMs } })
    .toSorted(([, a], [, b]) => keptAtOf(b) - keptAtOf(a))
    .slice(0, mostKept)
  storage.write('sqlTabs', JSON.stringify(Object.fromEntries(newest)))
}

function readTab(value: unknown): SqlTabText[] {
  if (!isRecord(value)) return []
  const { id, name, text, saved } = value
  if (typeof id !== 'string' || typeof name !== 'string' || typeof text !== 'string') return []
  return [{ id, name, text, saved: readSaved(saved) }]
}

function readSaved(value: unknown): SqlTabText['saved'] {
  if (!isRecord(value)) return null
  const { id, statement, isShared } = value
  return typeof id === 'string' && typeof statement === 'string'
    ? { id, statement, isShared: isShared === true }
    : null
}

function all(): Record<string, unknown> {
  const stored = readJson(storage, 'sqlTabs')
  return isRecord(stored) ? stored : {}
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const keptAtOf = (value: unknown) =>
  isRecord(value) && typeof value['keptAt'] === 'number' ? value['keptAt'] : 0
