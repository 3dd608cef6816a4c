import type { RetryReason } from '@bey/contract'

/** A step failed for a reason that its message explains to people, who can mend it. */
export class StepFailure extends Error {
  /** What kind of failure it is, as the retries of a step name it. */
  readonly reason: RetryReason

  constructor(message: string, options: { cause?: unknown; reason?: RetryReason } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StepFailure'
    this.reason = options.reason ?? 'error'
  }
}

/** Why a step is broken off when its process goes down: it is not over, but goes on in the next process. */
export class EngineStopping extends Error {
  constructor() {
    super('The server is stopping')
    this.name = 'EngineStopping'
  }
}
