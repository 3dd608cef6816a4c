import type { Clock } from '../../../platform/clock.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { AppError } from '../../../platform/errors.ts'

const pauseMs = 500

/**
 * Retries work on the database until the database answers: a run must not fail because PostgreSQL restarts.
 * `isRepeated` is true on a retry: the previous attempt may have committed although its confirmation was lost.
 */
export async function retryWhileDatabaseUnavailable<T>(
  clock: Clock,
  work: (isRepeated: boolean) => Promise<T>,
): Promise<T> {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await work(isRepeated)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      await new Promise<void>((resolve) => clock.setTimeout(resolve, pauseMs))
    }
  }
}

/** Also where a step has put it into a sentence of its own, with the error as its cause. */
function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'unavailable'
  return error instanceof StepFailure && isDatabaseUnavailable(error.cause)
}
