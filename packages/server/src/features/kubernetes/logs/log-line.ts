import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'

export type LogLine = { at: string; text: string }

/** What is longer is cut, with a mark: a browser shows a line as a whole. */
const maxLineCharacters = 64 * 1024

/** The lines of one answer of the log endpoint with `timestamps=true`, as many at a time as arrived together. */
export async function* logLines(answer: IncomingMessage): AsyncGenerator<LogLine[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let isCut = false
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const parts = (rest + decoder.write(chunk)).split('\n')
    rest = parts.pop() ?? ''
    const lines: LogLine[] = []
    for (const part of parts) {
      // The end of a line whose beginning was already cut off.
      if (isCut) isCut = false
      else lines.push(logLine(part))
    }
    if (rest.length > maxLineCharacters) {
      if (!isCut) lines.push(logLine(rest))
      isCut = true
      rest = ''
    }
    if (lines.length > 0) yield lines
  }
  if (rest !== '' && !isCut) yield [logLine(rest)]
}

function logLine(line: string): LogLine {
  const end = line.indexOf(' ')
  const at = end === -1 ? undefined : utcNanoseconds(line.slice(0, end))
  const text = at === undefined ? line : line.slice(end + 1)
  return { at: at ?? '', text: shortened(text.endsWith('\r') ? text.slice(0, -1) : text) }
}

function shortened(text: string): string {
  return text.length > maxLineCharacters ? `${text.slice(0, maxLineCharacters)} … (cut)` : text
}

const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/

/**
 * An instant as runtimes write it (RFC 3339, up to nine digits of a second, any offset) in UTC with all nine digits, so
 * that instants compare as texts. Undefined for what is none.
 */
export function utcNanoseconds(text: string): string | undefined {
  const [, whole, fraction = '', offset] = instant.exec(text) ?? []
  if (whole === undefined || offset === undefined) return undefined
  const digits = fraction.padEnd(9, '0')
  if (offset === 'Z') return `${whole}.${digits}Z`
  const ms = Date.parse(whole + offset)
  return Number.isNaN(ms) ? undefined : `${new Date(ms).toISOString().slice(0, 19)}.${digits}Z`
}
