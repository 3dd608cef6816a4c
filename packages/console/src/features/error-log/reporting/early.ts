/* oxlint-disable no-console -- what is printed as an error is caught here */
import type { ErrorKind } from '@bey/contract'
import type { ErrorInfo } from 'react'

/** Something that went wrong, as it was caught. */
export interface CapturedError {
  kind: ErrorKind
  /** The error, or whatever was thrown or printed in its place. */
  values: readonly unknown[]
  at: Date
  /** Where the browser says that it happened. */
  place?: { source: string; line: number; column: number }
  /** Where it was printed, where no value has a stack. */
  stack?: string | undefined
  components?: { stack: string; boundary: unknown }
}

const maxWaiting = 20
const waiting: CapturedError[] = []
let listener: ((captured: CapturedError) => void) | undefined
const printError = console.error

/** Hands what was and will be caught to the reporter. */
export function listenForErrors(next: (captured: CapturedError) => void): void {
  listener = next
  for (const captured of waiting.splice(0)) next(captured)
}

function capture(captured: CapturedError): void {
  if (listener) return listener(captured)
  if (waiting.length < maxWaiting) waiting.push(captured)
  // If this import fails, the next error tries again, and so does the first page once it is shown.
  import('./reporter.ts').catch(() => undefined)
}

/** For React: an error that a boundary caught, with the components that it came through. */
export function onCaughtError(error: unknown, info: ErrorInfo & { errorBoundary?: unknown }): void {
  printError.call(console, error)
  const components = { stack: info.componentStack ?? '', boundary: info.errorBoundary }
  capture({ kind: 'boundary', values: [error], at: new Date(), components })
}

console.error = (...values: unknown[]) => {
  printError.apply(console, values)
  const holder: { stack?: string } = {}
  if (!values.some((value) => value instanceof Error)) Error.captureStackTrace?.(holder, console.error)
  capture({ kind: 'console', values, at: new Date(), stack: holder.stack })
}

addEventListener('error', ({ error, message, filename, lineno, colno }) => {
  // A notice of browsers that a size changed twice in one frame; nothing has failed.
  if (message.startsWith('ResizeObserver loop')) return
  const place = { source: filename, line: lineno, column: colno }
  capture({ kind: 'error', values: [error ?? message], at: new Date(), place })
})

addEventListener('unhandledrejection', ({ reason }) => {
  capture({ kind: 'rejection', values: [reason], at: new Date() })
})
