import {
  type ErrorEntry,
  type ErrorKind,
  errorContextLimits,
  errorKinds,
  errorLogLimits,
  redactNamedText,
} from '@bey/contract'
import { redactValue } from '../../platform/redact.ts'

/** An entry as it is kept: without what looks like a credential, complete, and bounded. */
export type Report = {
  message: string
  kind: ErrorKind
  release: string
  repeats: number
  reportedAt: Date
  stack: string
  componentStack: string
  source: string
  line: number | null
  column: number | null
  userAgent: string
  url: string
  sessionId: string
  errorBoundary: string
  errorBoundaryStack: string
  additionalContext: Record<string, unknown>
}

/** What a console sent, made fit to be kept. `userAgent` is the request's, for an entry without one. */
export function reportOf(entry: ErrorEntry, userAgent: string): Report {
  const context = entry.additionalContext ?? {}
  const { kind, release, repeats, ...rest } = context
  return {
    message: text(entry.message).trim() || 'An error without a message',
    kind: errorKinds.find((each) => each === kind) ?? 'error',
    release: releaseOf(release),
    repeats: repeatsOf(repeats),
    reportedAt: new Date(entry.timestamp),
    stack: text(entry.stack),
    componentStack: text(entry.componentStack),
    source: withoutQuery(entry.source),
    line: entry.line ?? null,
    column: entry.column ?? null,
    userAgent: text(entry.userAgent ?? userAgent.slice(0, errorLogLimits.userAgentLength)),
    url: withoutQuery(entry.url),
    sessionId: text(entry.sessionId),
    errorBoundary: text(entry.errorBoundary),
    errorBoundaryStack: text(entry.errorBoundaryStack),
    additionalContext: redactTexts(redactValue(rest)),
  }
}

function text(value: string | undefined): string {
  return value === undefined ? '' : redactNamedText(value)
}

/** Search and fragment may hold typed text or a one-time link. */
function withoutQuery(address: string | undefined): string {
  return text(address?.split(/[?#]/, 1)[0])
}

function releaseOf(value: unknown): string {
  return typeof value === 'string' && /^[\w.+-]{1,100}$/.test(value) ? value : 'unknown'
}

function repeatsOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) return 1
  return Math.min(value + 1, errorContextLimits.repeats)
}

function redactTexts(value: unknown): Record<string, unknown> {
  const cleaned: unknown = JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    typeof each === 'string' ? redactNamedText(each) : each,
  )
  return typeof cleaned === 'object' && cleaned !== null ? { ...cleaned } : {}
}
