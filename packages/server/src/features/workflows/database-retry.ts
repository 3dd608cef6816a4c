import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'

const pauseMs = 500

/**
 * Repeats work on the database until the database answers: a run must not fail because PostgreSQL restarts.
 * `work` is told whether it is a repetition, for the commit before may have happened all the same.
 */
export async function patiently<T>(clock: Clock, work: (isRepeated: boolean) => Promise<T>): Promise<T> {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await work(isRepeated)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error
      await new Promise<void>((resolve) => clock.setTimeout(resolve, pauseMs))
    }
  }
}
