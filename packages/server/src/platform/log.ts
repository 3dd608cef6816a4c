import { stdout } from 'node:process'

import { type DestinationStream, pino, stdTimeFunctions } from 'pino'

import { prettyLine } from './log-line.ts'
import { redactLine, redactValue } from './redact.ts'
import { currentSpan } from './tracing/tracing.ts'

export type Log = pino.Logger

export type LogOptions = {
  level: 'trace' | 'debug' | 'info' | 'warning' | 'error' | 'fatal' | 'silent'
  /** One readable line each instead of JSON: for a terminal. */
  isPretty?: boolean
  /** Where lines go; standard output by default. */
  write?: (line: string) => void
}

/**
 * The server's structured log. Values under telling names (password, token, secret, authorization …) are
 * replaced at any depth, and what looks like a token or a connection string is removed from texts too.
 */
export function createLog(options: LogOptions): Log {
  const write = options.write ?? ((line: string) => void stdout.write(line))
  const destination: DestinationStream = {
    write: (line) => write(options.isPretty === true ? prettyLine(line) : line),
  }
  return pino(
    {
      level: options.level === 'warning' ? 'warn' : options.level,
      base: {},
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label === 'warn' ? 'warning' : label }),
        log: redactFields,
      },
      mixin: traceIdOfWork,
      // Errors are already plain data when serializers run.
      serializers: { err: (error: unknown) => error },
      hooks: { streamWrite: redactLine },
    },
    destination,
  )
}

/** Of work that belongs to no request and to no run, and where traces are off, there is none. */
function traceIdOfWork(): object {
  const span = currentSpan()
  return span === undefined ? {} : { traceId: span.traceId }
}

/** `req` and `res` belong to the HTTP server's own serializers, which run later and pick a few fields. */
function redactFields({ req, res, ...fields }: Record<string, unknown>): Record<string, unknown> {
  const copy = redactValue(fields) as Record<string, unknown>
  if (req !== undefined) copy['req'] = req
  if (res !== undefined) copy['res'] = res
  return copy
}
