import { ApiError } from '@bey/client'
import type { EngineStatus } from '@bey/contract'
import { causeOf, isUnauthorized } from '../../lib/error-text.ts'

export const engineFailureText = 'Failed to fetch workflow engine status'

/** Why the engine's status cannot be shown. */
export function engineErrorText(error: unknown, port: string): string {
  if (isUnauthorized(error)) return 'Authentication required - please log in to view engine status'
  if (error instanceof ApiError && error.status === 0) {
    return `Backend server not available - check that the server is running on port ${port}`
  }
  return `API Error: ${error instanceof ApiError ? httpText(error) : causeOf(error)}`
}

function httpText({ status, detail }: ApiError): string {
  return detail ? `HTTP ${status}: ${detail}` : `HTTP ${status}`
}

/** The port of the server behind a page; in development the page itself comes from another one. */
export function serverPort({ port, protocol }: Pick<Location, 'port' | 'protocol'>): string {
  if (import.meta.env.DEV) return '8080'
  return port || (protocol === 'https:' ? '443' : '80')
}

/** What the bar says of the engine, in a word. */
export function engineWord(status: EngineStatus | undefined, isError: boolean): string {
  if (isError) return 'unavailable'
  return status?.engine.status ?? 'loading'
}
