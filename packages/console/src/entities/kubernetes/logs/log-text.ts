/** How serious a line is; `none` where nothing says so. */
export const severities = ['none', 'trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type Severity = (typeof severities)[number]

/** ESC sequences: colours, cursor, titles (ECMA-48), and other control characters but the tab. */
const controls =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])|[\u0000-\u0008\u000b-\u001f\u007f]/g

/** The text of a line without what would only act on a terminal. */
export function plainLine(text: string): string {
  // A tab is as wide as any other character here, so that the width of a line follows from its length.
  return text.replace(controls, '').replaceAll('\t', '    ')
}

const words: Record<string, Severity> = {
  trace: 'trace',
  verbose: 'trace',
  debug: 'debug',
  dbg: 'debug',
  info: 'info',
  information: 'info',
  inf: 'info',
  notice: 'info',
  log: 'info',
  warn: 'warn',
  warning: 'warn',
  wrn: 'warn',
  error: 'error',
  err: 'error',
  severe: 'error',
  fatal: 'fatal',
  critical: 'fatal',
  crit: 'fatal',
  panic: 'fatal',
  alert: 'fatal',
  emerg: 'fatal',
}

/** Numbers of pino and bunyan. */
const numbers: Record<string, Severity> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

const klogLetters: Record<string, Severity> = { I: 'info', W: 'warn', E: 'error', F: 'fatal', D: 'debug' }

const jsonLevel = /"(?:level|severity|lvl|levelname|log\.level|loglevel)"\s*:\s*"?(\w+)/i
const keyLevel = /(?:^|\s)(?:level|severity|lvl)=["']?(\w+)/i
const klog = /^([IWEFD])\d{4} \d\d:\d\d:\d\d/
const bracketed =
  /^[^A-Za-z[]{0,40}\[?(trace|debug|info|notice|warn|warning|error|err|fatal|critical|panic|log)\b[\]:\s|]/i
const anywhere = /\b(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|PANIC|CRITICAL)\b/
const httpStatus = /" ([1-5])\d\d \d/

/** What a line says of its own severity, in the ways that common loggers write it. Looks at its beginning only. */
export function severityOf(line: string): Severity {
  const text = line.length > 400 ? line.slice(0, 400) : line
  const named = (text.startsWith('{') ? jsonLevel : keyLevel).exec(text)?.[1]
  if (named) return words[named.toLowerCase()] ?? numbers[named] ?? 'none'
  const letter = klog.exec(text)?.[1]
  if (letter) return klogLetters[letter] ?? 'none'
  const word = bracketed.exec(text)?.[1] ?? anywhere.exec(text.slice(0, 120))?.[1]
  if (word) return words[word.toLowerCase()] ?? 'none'
  const status = httpStatus.exec(text)?.[1]
  if (status === '5') return 'error'
  return status ? 'info' : 'none'
}

/** Whether a line goes on with what the line before began, such as a stack trace. */
export function isContinuation(line: string): boolean {
  return /^(?:\s+\S|Caused by:|\.\.\. \d+ more)/.test(line)
}

export interface ParsedLine {
  message: string
  /** What came beside the message, in its order; empty for a plain text. */
  fields: (readonly [key: string, value: string])[]
}

const messageKeys = ['msg', 'message', 'event', 'log', '@message']
const ownColumns = /^(?:level|severity|lvl|levelname|log\.level|loglevel|time|timestamp|ts|@timestamp|date)$/i

/** The message of a line and its fields, where it is JSON; any other line is its own message. */
export function parseLine(line: string): ParsedLine {
  const object = jsonObject(line)
  if (!object) return { message: line, fields: [] }
  const key = messageKeys.find((each) => typeof object[each] === 'string')
  const fields = Object.entries(object)
    .filter(([name]) => name !== key && !ownColumns.test(name))
    .map(([name, value]) => [name, valueText(value)] as const)
  return { message: key === undefined ? '' : String(object[key]), fields }
}

/** A field as it stands behind the message. */
export const fieldText = ([key, value]: readonly [string, string]): string => `${key}=${value}`

/** Characters of a line as it is shown: message and fields, two blanks between them. */
export function shownColumns(line: string): number {
  if (!line.startsWith('{')) return line.length
  const { message, fields } = parseLine(line)
  return fields.reduce((columns, field) => columns + 2 + fieldText(field).length, message.length)
}

/** Every field of a JSON line, the message among them; empty for any other line. */
export function allFields(line: string): (readonly [key: string, value: string])[] {
  return Object.entries(jsonObject(line) ?? {}).map(([name, value]) => [name, valueText(value)] as const)
}

function jsonObject(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{') || !line.trimEnd().endsWith('}')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
