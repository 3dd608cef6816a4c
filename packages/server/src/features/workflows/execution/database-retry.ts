import type { Clock } from '../../../platform/clock.ts'
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
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error
      await new Promise<void>((resolve) => clock.setTimeout(resolve, pauseMs))
    }
  }
}
