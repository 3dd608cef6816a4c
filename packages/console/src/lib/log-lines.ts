import { lineLevels } from './log-level.ts'
import type { LineLevel } from './log-level.ts'
import { readJson } from './storage.ts'
import type { TextStorage } from './storage.ts'

export interface LogLine {
  /** RFC 3339. */
  at: string
  level: LineLevel
  message: string
  /** What came with the message, as JSON. */
  detail?: string
  /** The page on which it was written, without its query. */
  path: string
}

const maxLines = 1000
/** Browsers give an origin about five million characters for everything. */
const maxCharacters = 400_000
export const maxLineCharacters = 4_000

/** The kept lines, oldest first. What is not a line, perhaps of an earlier version, is left out. */
export function readLines(storage: TextStorage): LogLine[] {
  const stored = readJson(storage, 'logLines')
  return Array.isArray(stored) ? stored.filter(isLine) : []
}

/**
 * Adds lines to those of the storage, which other tabs write as well, and drops the oldest above 1,000 lines or above
 * the characters that the log may take.
 */
export function addLines(storage: TextStorage, added: readonly LogLine[]): void {
  const lines = [...readLines(storage), ...added].slice(-maxLines)
  const texts: string[] = []
  let characters = 2
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const text = JSON.stringify(lines[index])
    characters += text.length + 1
    if (characters > maxCharacters) break
    texts.push(text)
  }
  storage.write('logLines', `[${texts.toReversed().join(',')}]`)
}

function isLine(value: unknown): value is LogLine {
  if (typeof value !== 'object' || value === null) return false
  const has = (key: string) => typeof Reflect.get(value, key) === 'string'
  const level: unknown = Reflect.get(value, 'level')
  const detail: unknown = Reflect.get(value, 'detail')
  return (
    has('at') &&
    has('message') &&
    has('path') &&
    lineLevels.some((each) => each === level) &&
    (detail === undefined || typeof detail === 'string')
  )
}
