import { ApiError, unauthorizedText } from '@bey/client'
import type { ErrorCode } from '@bey/contract'

/** An error as a person reads it. */
export interface ErrorText {
  /** What failed: a sentence of the error catalogue. */
  title: string
  /** Why, in the server's words. */
  detail?: string
  requestId?: string
  /** The other side may be asked again, but it has said no: nothing is broken. */
  isRefusal?: boolean
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Whether the object does not exist, or its id in a typed address is not valid. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.code === 'invalid_request')
}

/** Whether asking again may help: the server is down or broken, as opposed to having refused. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

/** Whether a cluster does not let the account that Bey uses there read something. */
export function isForbiddenByCluster(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'cluster_forbidden'
}

export function isRateLimited(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429
}

/** The cause alone, in the server's words where it has any. */
export function causeOf(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 401) return unauthorizedText
    return error.detail || error.message
  }
  return error instanceof Error && error.message ? error.message : 'An unknown error occurred.'
}

/** The one way from an error to text: `title` says what failed, the error says why. */
export function errorText(title: string, error: unknown): ErrorText {
  const detail = causeOf(error)
  const requestId = error instanceof ApiError ? error.requestId : ''
  return { title, ...(detail === title ? {} : { detail }), ...(requestId ? { requestId } : {}) }
}

/** The user could not be read: the answer's status is part of the sentence, where there was an answer. */
export function failedUserText(error: unknown): ErrorText {
  const answer = error instanceof ApiError && error.status > 0 ? `: ${error.status} ${error.statusText}` : ''
  return errorText(`Failed to get user${answer.trimEnd()}`, error)
}

/** What a toast says beneath its title: the cause, and the id to find it by in the server's log. */
export function toastCause(error: unknown): { description: string; requestId?: string } {
  const requestId = error instanceof ApiError ? error.requestId : ''
  return { description: causeOf(error), ...(requestId ? { requestId } : {}) }
}

/** The error's own words, or `fallback` where the server gave none; for a form's one line. */
export function errorMessage(error: unknown, fallback: string): string {
  if (error instanceof ApiError && error.status !== 401 && !error.detail) return fallback
  return causeOf(error)
}

/** The code of the server's refusal, where the page answers one by itself. */
export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof ApiError ? error.code : undefined
}

/** What is wrong with each field, by its path, where the server refused the input. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  const errors = error instanceof ApiError ? error.fieldErrors : []
  return Object.fromEntries(errors.map((each) => [each.path, each.message]))
}

/** Every invalid part of a request in its own sentence, where several may be of one field. */
export function fieldErrorListOf(error: unknown): readonly string[] {
  return error instanceof ApiError ? error.fieldErrors.map(({ message }) => message) : []
}
