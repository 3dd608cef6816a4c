import type { ErrorCode, FieldError } from '@bey/contract/base/errors'

export type AppErrorOptions = {
  /** Fields of the request that are wrong, for `invalid_request`. */
  errors?: FieldError[]
  /** Further facts for the log; never sent to the caller. */
  details?: Record<string, unknown>
  /** For `Retry-After`. */
  retryAfterSeconds?: number
  cause?: unknown
}

/**
 * What the caller caused or can mend. The message is a sentence for people that names the thing and the way
 * out; anything thrown that is not an AppError is a bug and answered as `internal`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors: FieldError[] | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.errors = options.errors
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** A setting that cannot be used. The message says what to set; the start prints it and ends. */
export class ConfigError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ConfigError'
  }
}

/** The error itself and everything that caused it, outermost first. */
export function* causes(error: unknown): Generator<unknown> {
  const seen = new Set<unknown>()
  for (let e = error; e != null && !seen.has(e); e = e instanceof Error ? e.cause : undefined) {
    seen.add(e)
    yield e
  }
}
