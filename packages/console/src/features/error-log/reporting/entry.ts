import type { Breadcrumb, ErrorContext, ErrorEntry } from '@bey/contract'
import { errorContextLimits, errorLogLimits, redactNamedText } from '@bey/contract'
import type { CapturedError } from './early.ts'

/** What is known of page and person besides the error itself. */
export interface EntryFacts {
  url: string
  userAgent: string
  sessionId: string
  userId: number | undefined
  organizationId: number | undefined
  release: string
  /** Of the page that is open. */
  routeId: string
  breadcrumbs: readonly Breadcrumb[]
}

/** What was caught as an entry of the error log: redacted here already, and cut to what the server takes. */
export function entryOf(captured: CapturedError, facts: EntryFacts): ErrorEntry {
  const error = captured.values.find((value) => value instanceof Error)
  const boundary = boundaryOf(captured, facts.routeId)
  return {
    message: clean(messageOf(captured.values), errorLogLimits.messageLength) || 'An error without a message',
    ...optional('stack', clean(error ? stackOf(error) : (captured.stack ?? ''), errorLogLimits.stackLength)),
    ...optional('componentStack', clean(captured.components?.stack ?? '', errorLogLimits.stackLength)),
    ...optional('source', clean(withoutQuery(captured.place?.source ?? ''), errorLogLimits.urlLength)),
    ...(captured.place ? { line: captured.place.line, column: captured.place.column } : {}),
    timestamp: captured.at.toISOString(),
    userAgent: clean(facts.userAgent, errorLogLimits.userAgentLength),
    url: clean(withoutQuery(facts.url), errorLogLimits.urlLength),
    ...(facts.userId === undefined ? {} : { userId: facts.userId }),
    ...(facts.organizationId === undefined ? {} : { organizationId: facts.organizationId }),
    sessionId: facts.sessionId,
    ...optional('errorBoundary', clean(boundary?.name ?? '', errorLogLimits.nameLength)),
    ...optional('errorBoundaryStack', clean(boundary?.stack ?? '', errorLogLimits.stackLength)),
    additionalContext: contextOf(captured, error, facts),
  }
}

/** What makes two errors the same before they are sent. */
export function keyOf({ message, stack = '' }: ErrorEntry): string {
  return `${message}\n${stack.split('\n', 4).join('\n')}`
}

function contextOf(
  captured: CapturedError,
  error: Error | undefined,
  facts: EntryFacts,
): Record<string, unknown> {
  const requestId = error && 'requestId' in error ? error.requestId : undefined
  const context: ErrorContext = {
    kind: captured.kind,
    release: facts.release,
    ...(typeof requestId === 'string' && requestId !== '' ? { requestId } : {}),
    breadcrumbs: [...facts.breadcrumbs],
  }
  // The oldest go first where there is too much.
  while (context.breadcrumbs?.length && JSON.stringify(context).length > errorContextLimits.length - 200) {
    context.breadcrumbs.shift()
  }
  return context
}

/** As the browser's console would print it. */
export function messageOf(values: readonly unknown[]): string {
  const [first, ...rest] = values
  if (typeof first !== 'string' || !/%[sdifoOc]/.test(first)) return values.map(textOf).join(' ')
  const filled = first.replace(/%[sdifoOc]/g, (place) => {
    const value = rest.shift()
    return place === '%c' ? '' : textOf(value)
  })
  return [filled, ...rest.map(textOf)].join(' ')
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error)
    return value.name === 'Error' ? value.message : `${value.name}: ${value.message}`
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    // Circular, or a getter that throws: its kind must do.
    return Object.prototype.toString.call(value)
  }
}

const maxCauses = 3

function stackOf(error: Error): string {
  const stacks: string[] = []
  let next: unknown = error
  while (next instanceof Error && stacks.length <= maxCauses) {
    stacks.push(next.stack ?? textOf(next))
    next = next.cause
  }
  return stacks.join('\nCaused by: ')
}

function boundaryOf(
  { components }: CapturedError,
  routeId: string,
): { name: string; stack: string } | undefined {
  if (!components) return undefined
  const { boundary, stack } = components
  const panel = panelOf(boundary)
  const typeName = typeof boundary === 'object' && boundary !== null ? boundary.constructor.name : ''
  const start =
    typeName === '' ? -1 : stack.search(new RegExp(`^\\s*at ${typeName.replaceAll('$', '\\$')}\\b`, 'm'))
  return {
    name: panel === undefined ? `route ${routeId}` : `panel ${panel}`,
    stack: start === -1 ? '' : stack.slice(start),
  }
}

/** A boundary of ours around a part of a page has the part's name. */
function panelOf(boundary: unknown): string | undefined {
  if (typeof boundary !== 'object' || boundary === null || !('props' in boundary)) return undefined
  const { props } = boundary
  if (typeof props !== 'object' || props === null || !('panel' in props)) return undefined
  return typeof props.panel === 'string' ? props.panel : undefined
}

/** Search and fragment may hold typed text or a one-time link. */
function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}

function clean(text: string, maxLength: number): string {
  // The server refuses U+0000, which its database cannot keep.
  const redactedText = redactNamedText(text.slice(0, maxLength * 2).replaceAll('\0', ''))
  return redactedText.slice(0, maxLength)
}

function optional<K extends string>(key: K, value: string): { [P in K]?: string } {
  const part: { [P in K]?: string } = {}
  if (value !== '') part[key] = value
  return part
}
