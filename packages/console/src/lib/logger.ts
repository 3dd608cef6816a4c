import { isWritten, getLogLevel } from './log-level.ts'
import type { LineLevel, LogLevel } from './log-level.ts'
import { addLines, maxLineCharacters, readLines } from './log-lines.ts'
import type { LogLine } from './log-lines.ts'
import { redactText, redactValue } from './redact.ts'
import { storage, storageKeys } from './storage.ts'
import type { TextStorage } from './storage.ts'

/** The share of measurements that is written down. */
const metricSampleRate = 0.1
/** Lines wait this long to be kept together; a page that is left keeps them at once. */
const keepDelayMs = 500

type Write = (message: string, detail?: unknown) => void

export interface Logger extends Record<LineLevel, Write> {
  write: (level: LineLevel, message: string, detail?: unknown) => void
  /** Notes how long something took, in milliseconds; one in ten is written, at the level debug. */
  metric: (name: string, durationMs: number, detail?: unknown) => void
  /** The kept lines, oldest first; the same array until one is added. */
  lines: () => readonly LogLine[]
  clear: () => void
  subscribe: (listener: () => void) => () => void
  /** Keeps at once what waits to be kept. */
  flush: () => void
}

/** What the logger needs of the outside world. */
export interface LoggerPorts {
  storage: TextStorage
  /** Its methods are looked up at each call: code that wraps console methods receives the log as well. */
  console: Pick<Console, 'debug' | 'info' | 'warn' | 'error'>
  level: () => LogLevel
  now: () => Date
  path: () => string
  /** From 0 up to 1. */
  random: () => number
  /** Runs something a little later, once. */
  later: (run: () => void, delayMs: number) => void
}

const methods = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  success: 'info',
  warning: 'warn',
  error: 'error',
  fatal: 'error',
} as const satisfies Record<LineLevel, keyof LoggerPorts['console']>

/** Writes to the browser's console and keeps the last 1,000 lines; secrets are taken out before either. */
export function createLogger(ports: LoggerPorts): Logger {
  const listeners = new Set<() => void>()
  let waiting: LogLine[] = []
  let known: LogLine[] | undefined
  let isWriting = false

  const changed = () => {
    known = undefined
    for (const listener of listeners) listener()
  }
  const flush = () => {
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    addLines(ports.storage, lines)
  }
  const keep = (line: LogLine) => {
    waiting.push(line)
    if (waiting.length === 1) ports.later(flush, keepDelayMs)
    changed()
  }
  const print = (level: LineLevel, message: string, detail: unknown) => {
    const text = level === methods[level] || level === 'warning' ? message : `[${level}] ${message}`
    if (detail === undefined) ports.console[methods[level]](text)
    else ports.console[methods[level]](text, detail)
  }
  const write: Logger['write'] = (level, message, detail) => {
    // Who reports what the console prints may itself log: what printing causes is not printed again.
    if (isWriting || !isWritten(level, ports.level())) return
    isWriting = true
    try {
      const clean = redactText(message)
      const cleanDetail = detail === undefined ? undefined : redactValue(detail)
      const detailText = cleanDetail === undefined ? undefined : JSON.stringify(cleanDetail)
      keep({
        at: ports.now().toISOString(),
        level,
        message: cut(clean),
        ...(detailText === undefined ? {} : { detail: cut(detailText) }),
        path: ports.path(),
      })
      print(level, clean, cleanDetail)
    } finally {
      isWriting = false
    }
  }

  return {
    write,
    trace: (message, detail) => write('trace', message, detail),
    debug: (message, detail) => write('debug', message, detail),
    info: (message, detail) => write('info', message, detail),
    success: (message, detail) => write('success', message, detail),
    warning: (message, detail) => write('warning', message, detail),
    error: (message, detail) => write('error', message, detail),
    fatal: (message, detail) => write('fatal', message, detail),
    metric: (name, durationMs, detail) => {
      if (ports.random() >= metricSampleRate) return
      write('debug', `${name} took ${Math.round(durationMs)} ms`, detail)
    },
    lines: () => (known ??= [...readLines(ports.storage), ...waiting].slice(-1000)),
    clear: () => {
      waiting = []
      ports.storage.remove('logLines')
      changed()
    },
    subscribe: (listener) => {
      const onStorage = ({ key }: StorageEvent) => {
        if (key === storageKeys.logLines || key === null) changed()
      }
      // Other tabs may have written while this one had no listener.
      known = undefined
      listeners.add(listener)
      window.addEventListener('storage', onStorage)
      return () => {
        listeners.delete(listener)
        window.removeEventListener('storage', onStorage)
      }
    },
    flush,
  }
}

function cut(text: string): string {
  return text.length <= maxLineCharacters ? text : `${text.slice(0, maxLineCharacters - 1)}…`
}

/**
 * The log of this page. A line written at error or above reaches the error reporter too, which listens to the
 * console.
 */
export const logger = createLogger({
  storage,
  console: window.console,
  level: getLogLevel,
  now: () => new Date(),
  path: () => location.pathname,
  random: Math.random,
  later: (run, delayMs) => void setTimeout(run, delayMs),
})

window.addEventListener('pagehide', logger.flush)
