import type { ErrorCode, FieldError, Problem } from '@bey/contract'

/**
 * `problem`: the server answered with an error. `network`: there was no answer, or a broken one. `timeout`: none
 * within the client's bound. `aborted`: the caller's own signal ended the call.
 */
export type ApiErrorKind = 'problem' | 'network' | 'timeout' | 'aborted'

export type ApiErrorFacts = {
  kind: ApiErrorKind
  /** HTTP status; 0 where there was no answer. */
  status: number
  statusText: string
  problem?: Partial<Problem> | undefined
  /** Used where the problem has no detail of its own. */
  detail?: string | undefined
  requestId?: string | undefined
  cause?: unknown
}

export const unauthorizedText = 'Unauthorized: Please log in again.'

/** A call that failed. `message` is the sentence of the error catalogue, `detail` says why in words for people. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind
  readonly status: number
  readonly statusText: string
  /** Undefined where the answer was no problem document. */
  readonly code: ErrorCode | undefined
  readonly detail: string
  /** For support; empty where there was no answer. */
  readonly requestId: string
  /** What is wrong with each field, by its path on the wire. */
  readonly fieldErrors: readonly FieldError[]
  /** The problem document as it came. */
  readonly problem: Partial<Problem> | undefined

  constructor(facts: ApiErrorFacts) {
    super(
      facts.status === 401 ? unauthorizedText : `API call failed: ${facts.statusText}`,
      facts.cause === undefined ? undefined : { cause: facts.cause },
    )
    this.name = 'ApiError'
    this.kind = facts.kind
    this.status = facts.status
    this.statusText = facts.statusText
    this.code = facts.problem?.code
    this.detail = facts.problem?.detail ?? facts.detail ?? ''
    this.requestId = facts.problem?.requestId ?? facts.requestId ?? ''
    this.fieldErrors = facts.problem?.errors ?? []
    this.problem = facts.problem
  }
}
